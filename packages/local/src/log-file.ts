import { closeSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';

/** Where the output of one child goes, a line at a time. */
export interface LogFile {
  path: string;
  /** Never throws. */
  write(line: string): void;
  close(): void;
}

const keptBytesMax = 10_000_000;

/**
 * Opens the file for appending; one that has grown large is first moved aside to `<path>.1`. While it cannot be
 * written, `onLoss` gets the reason for each lost line. The first line after that says how many are missing.
 */
export function openLogFile(path: string, onLoss: (reason: string) => void = () => {}): LogFile {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > keptBytesMax) renameSync(path, `${path}.1`);
  let file: number | undefined = openSync(path, 'a', 0o600);
  let lost = 0;
  return {
    path,
    write: (line) => {
      // A child's last lines may arrive after its end.
      if (file === undefined) return;
      // A write that fails may leave half a line.
      const gap = lost > 0 ? `\n${lost} lines are missing here: this file could not be written\n` : '';
      try {
        writeFileSync(file, `${gap}${line}\n`);
        lost = 0;
      } catch (error) {
        lost += 1;
        onLoss((error as Error).message);
      }
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
