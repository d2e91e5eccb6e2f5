import { readFile, writeFile } from 'node:fs/promises';
import { decodeText } from '@parley/bulk/decode';
import { Failure } from '../failure.ts';
import { pathOf, reasonOf } from './named-file.ts';
import type { Shell } from '../shell.ts';

/** Far above the limits of bots and scripts. */
const bytesMax = 1024 * 1024;

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, without that mark. Throws a `Failure` when
 * it cannot be read or has more than `limit` bytes.
 */
export async function readText(file: string, shell: Shell, limit = bytesMax): Promise<string> {
  const bytes = await readBytes(file, shell);
  if (bytes.length > limit) {
    throw new Failure(`${file} has ${bytes.length} bytes; the limit is ${limit}`, { type: 'too-large' });
  }
  const { text, encoding, isDamaged } = decodeText(bytes);
  // A guess, which nobody looks at before the text is sent.
  if (encoding === 'Windows-1252' || isDamaged)
    throw new Failure(`${file} is not UTF-8: save it in this character set`, { type: 'not-utf-8' });
  return text;
}

/** Replaces an existing file. Throws a `Failure` when it cannot. */
export async function writeOutput(file: string, content: string | Uint8Array, shell: Shell): Promise<void> {
  await writeFile(pathOf(file, shell), content).catch((cause: unknown) => {
    const message = `${file} cannot be written: ${reasonOf(cause)}`;
    throw new Failure(message, { type: 'unwritable-file', cause });
  });
}

/** Throws a `Failure` when the file cannot be read. */
export async function readBytes(file: string, shell: Shell): Promise<Buffer> {
  try {
    return await readFile(pathOf(file, shell));
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const message = isAbsent ? `there is no file ${file}` : `${file} cannot be read: ${reasonOf(error)}`;
    throw new Failure(message, { type: 'unreadable-file', cause: error });
  }
}
