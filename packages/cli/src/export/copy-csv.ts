import { hash } from 'node:crypto';
import { ParleyError } from '@parley/client';
import { Failure } from '../failure.ts';
import type { ExportOutput } from './output.ts';

/** How often a stream that was cut is read again without any new record. */
const retries = 3;

/** How many records are remembered, about a megabyte: one of them must still be there when a stream was cut. */
const rememberedMax = 10_000;

/**
 * Copies an export as CSV. Its records have no cursor, so a stream that was cut is read again from its beginning. What
 * has not changed comes in the same order: it continues behind the last records that were written. Rejects with the
 * last failure, and with `export-changed` if all of these are gone or the columns have changed.
 */
export async function copyCsv(
  open: () => Promise<ReadableStream<Uint8Array>>,
  output: ExportOutput,
  remembered = rememberedMax,
): Promise<void> {
  // A window of what was written last, in its order: no cache.
  const last = new Set<string>();
  const copied = { header: '', records: 0 };
  const copyFrom = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const earlier = new Set(last);
    let isBehind = copied.records <= remembered;
    let isHeader = true;
    for await (const record of recordsOf(stream)) {
      if (isHeader) {
        isHeader = false;
        if (record === copied.header) continue;
        if (copied.header !== '') throw exportChanged();
        await output.write(record, 0);
        copied.header = record;
        continue;
      }
      const digest = hash('sha256', record, 'base64url').slice(0, 20);
      if (earlier.has(digest)) isBehind = true;
      else if (isBehind) {
        await output.write(record);
        copied.records += 1;
        last.add(digest);
        const [oldest] = last;
        if (last.size > remembered && oldest !== undefined) last.delete(oldest);
      }
    }
    if (!isBehind) throw exportChanged();
  };
  for (let failures = 0; ; ) {
    const before = copied.records;
    try {
      await copyFrom(await open());
      return await output.flush();
    } catch (error) {
      failures = copied.records > before ? 1 : failures + 1;
      if (isFinal(error) || failures > retries) throw error;
    }
  }
}

function exportChanged(): Failure {
  const message = 'The export was cut, and too much has changed to continue it: run it again';
  return new Failure(message, { type: 'export-changed' });
}

function isFinal(error: unknown): boolean {
  return !(error instanceof ParleyError) || error.status !== undefined;
}

/** Returns the complete records of CSV, with their line ends. */
export async function* recordsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let record = '';
  let isQuoted = false;
  for await (const bytes of stream) {
    for (const part of decoder.decode(bytes, { stream: true }).split(/(?<=["\n])/)) {
      record += part;
      // Two quotation marks within a cell change it twice.
      if (part.endsWith('"')) isQuoted = !isQuoted;
      else if (part.endsWith('\n') && !isQuoted) {
        yield record;
        record = '';
      }
    }
  }
}
