import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { Failure } from './failure.ts';

/**
 * Asks for a line at a terminal; an empty one is `usual`. Throws a `Failure` when the person gives up (Ctrl-C, Ctrl-D).
 * The question goes to `output`, which is not where the command prints its answer.
 */
export async function askLine(
  question: string,
  usual: string,
  input: Readable = process.stdin,
  output: Writable = process.stderr,
): Promise<string> {
  const reader = createInterface({ input, output, terminal: true });
  const closed = Promise.withResolvers<never>();
  // Without this a question that is left open would end the process without a word.
  const giveUp = (): void => {
    output.write('\n');
    closed.reject(new Failure('given up: nothing is written', { type: 'given-up' }));
  };
  reader.once('close', giveUp);
  try {
    const line = await Promise.race([reader.question(`${question} [${usual}] `), closed.promise]);
    return line.trim() || usual;
  } finally {
    reader.off('close', giveUp).close();
  }
}
