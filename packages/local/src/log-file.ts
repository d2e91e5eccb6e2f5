import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where the output of one child goes, a line at a time. */
export interface LogFile {
  path: string;
  write(line: string): void;
  close(): Promise<void>;
}

const keptBytesMax = 10_000_000;

/** Opens the file for appending; one that has grown large is first moved aside to `<path>.1`. */
export function openLogFile(path: string): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > keptBytesMax) renameSync(path, `${path}.1`);
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  // A log that cannot be written (a full disk, a removed folder) must not end the run.
  stream.on('error', () => {});
  return {
    path,
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}
