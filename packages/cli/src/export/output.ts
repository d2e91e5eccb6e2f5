import { counted } from '../counted.ts';
import type { Shell } from '../shell.ts';

/** The output of an export, with its progress on standard error. */
export interface ExportOutput extends AsyncDisposable {
  /** Writes a text with so many interactions. Resolves when the reader of the output has taken enough of it. */
  write(text: string, interactions?: number): Promise<void>;
  /** Resolves when everything has been taken. */
  flush(): Promise<void>;
}

const chunkCharacters = 64 * 1024;
const progressMs = 1_000;

/** Writes to standard output. Its disposal writes the number of interactions to standard error. */
export function openExportOutput({ stdout, stderr }: Pick<Shell, 'stdout' | 'stderr'>): ExportOutput {
  let pending = '';
  let count = 0;
  const isTerminal = 'isTTY' in stderr && stderr.isTTY === true;
  const report = (ending: string): void =>
    void stderr.write(`${isTerminal ? '\r' : ''}${counted(count, 'interaction')}${ending}`);
  const timer = isTerminal ? setInterval(() => report(''), progressMs) : undefined;
  // The callback has the error, too.
  const ignore = (): void => {};
  stdout.on('error', ignore);
  const flush = (): Promise<void> => {
    const text = pending;
    pending = '';
    return new Promise((resolve, reject) => {
      stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  };
  return {
    write: async (text, interactions = 1) => {
      pending += text;
      count += interactions;
      if (pending.length >= chunkCharacters) await flush();
    },
    flush,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      if (pending !== '') await flush().catch(ignore);
      report('\n');
    },
  };
}
