import { type AnyOptions, retriesDefault, type Send } from './calls/call.ts';
import { unexpectedAnswer } from './calls/answer.ts';
import { ParleyError } from './error.ts';
import type { Interaction, InteractionHistory } from './gen/api.ts';
import { noAnswer } from './calls/no-answer.ts';
import type { CallInput, Operation } from './calls/request.ts';
import { openStream } from './calls/open-stream.ts';
import { pause } from './calls/pause.ts';
import { isTemporary, waitMs } from './calls/retry.ts';

/** An interaction of an export. */
export interface ExportedInteraction extends Omit<Interaction, 'data'> {
  /** Null until the conversation has started. */
  data: InteractionHistory | null;
  startedAt: string | null;
  completedAt: string | null;
  updatedAt: string;
  /** An export with this `cursor` goes on behind the interaction. */
  cursor: string;
}

/** An export. `for await` returns the interactions, oldest change first; a stream that was cut is continued. */
export interface Export extends AsyncIterable<ExportedInteraction> {
  /** The cursor of the last interaction that was returned, and at the end of the export. Undefined before. */
  readonly cursor: string | undefined;
  /** Returns the export as CSV. The stream fails with `no-answer` if it was cut. */
  csv(): Promise<ReadableStream<Uint8Array>>;
}

type Line = ExportedInteraction | { end: true; rows: number; cursor: string };

/** Returns an export. Sends nothing before it is read. */
export function readExport(
  send: Send,
  operation: Operation,
  { query, ...input }: CallInput,
  options?: AnyOptions,
): Export {
  let cursor: string | undefined;
  async function* interactions() {
    let at = query?.['cursor'];
    let failures = 0;
    for (;;) {
      try {
        const stream = await openStream(
          send,
          operation,
          { ...input, query: { ...query, cursor: at } },
          options,
        );
        for await (const line of linesOf(stream)) {
          failures = 0;
          at = line.cursor;
          cursor = line.cursor;
          if ('end' in line) return;
          yield line;
        }
        throw noAnswer(new Error('the export was cut'));
      } catch (error) {
        failures += 1;
        const retries = send.connection.retries ?? retriesDefault;
        await pauseBeforeRetry(error, failures, retries, options?.signal).catch(send.connection.failed);
      }
    }
  }
  return {
    get cursor() {
      return cursor;
    },
    csv: () =>
      openStream(send, operation, { ...input, query: { ...query, format: 'csv' } }, options).catch(
        send.connection.failed,
      ),
    [Symbol.asyncIterator]: interactions,
  };
}

/** Throws the error if a retry is of no use. */
async function pauseBeforeRetry(
  error: unknown,
  failures: number,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(error instanceof ParleyError) || failures > retries || !isTemporary(error)) throw error;
  const delayMs = waitMs(failures, error.retryAfterSeconds);
  if (delayMs === undefined) throw error;
  await pause(delayMs, signal);
}

/** Returns the complete lines of NDJSON. Rejects with `unexpected-answer` for a line of another form. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let begun = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (begun + decoder.decode(value, { stream: true })).split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) yield lineOf(line);
    }
  } finally {
    // The consumer may have stopped: nothing more is loaded.
    await reader.cancel().catch(() => {});
  }
}

function lineOf(text: string): Line {
  try {
    const line = JSON.parse(text) as Line;
    if (typeof line.cursor === 'string') return line;
  } catch {
    // As a line of another form.
  }
  throw unexpectedAnswer({ status: 200 });
}
