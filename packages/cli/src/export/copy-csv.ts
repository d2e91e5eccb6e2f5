import { hash } from 'node:crypto';
import { ParleyError } from '@parley/client';
import type { ExportOutput } from './output.ts';

/** How often a stream that was cut is read again without any new record. */
const retries = 3;

/**
 * Copies an export as CSV. Its records have no cursor, so a stream that was cut is read again from its beginning, and
 * records that were written are left out. Rejects with the last failure.
 */
export async function copyCsv(
  open: () => Promise<ReadableStream<Uint8Array>>,
  output: ExportOutput,
): Promise<void> {
  const written = new Set<string>();
  for (let failures = 0; ; ) {
    const before = written.size;
    try {
      for await (const record of recordsOf(await open())) {
        const digest = hash('sha256', record, 'base64url').slice(0, 20);
        if (written.has(digest)) continue;
        // The first one is the header row.
        await output.write(record, written.size === 0 ? 0 : 1);
        written.add(digest);
      }
      return await output.flush();
    } catch (error) {
      failures = written.size > before ? 1 : failures + 1;
      if (isFinal(error) || failures > retries) throw error;
    }
  }
}

// A stream that is cut fails with an error of the platform.
function isFinal(error: unknown): boolean {
  return error instanceof ParleyError ? error.status !== undefined : !(error instanceof TypeError);
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
