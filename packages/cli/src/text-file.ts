import { readFile } from 'node:fs/promises';
import { Failure } from './failure.ts';
import { pathOf } from './named-file.ts';
import { placeIn } from './place.ts';

/** Far above what a bot or a script may have. */
const bytesMax = 1024 * 1024;

/** The text of a file in UTF-8, without a byte order mark. Throws a `Failure` when it cannot be read or is none. */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes.length > bytesMax) {
    throw new Failure(`${file} has ${bytes.length} bytes; at most ${bytesMax} are read`, {
      type: 'too-large',
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw notUtf8(file, bytes, error);
  }
}

/** The bytes of a file. Throws a `Failure` when it cannot be read. */
export async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(pathOf(file));
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const reason = error instanceof Error ? error.message : String(error);
    const message = isAbsent ? `there is no file ${file}` : `${file} cannot be read: ${reason}`;
    throw new Failure(message, { type: 'unreadable-file', cause: error });
  }
}

function notUtf8(file: string, bytes: Buffer, cause: unknown): Failure {
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\xff\xfe' || mark === '\xfe\xff') {
    return new Failure(`${file} is in UTF-16; save it as UTF-8`, { type: 'not-utf-8', cause });
  }
  const text = bytes.toString();
  const detail = 'This is not UTF-8.';
  const place = placeIn(file, text, firstReplaced(text, bytes), 1);
  return new Failure(`${file} is not UTF-8: 1 fault`, {
    type: 'not-utf-8',
    faults: [{ pointer: '', detail, place }],
    cause,
  });
}

/** Where the lenient reading has put U+FFFD for bytes that are no character. */
function firstReplaced(text: string, bytes: Buffer): number {
  const replacement = '\ufffd';
  for (let at = text.indexOf(replacement); at >= 0; at = text.indexOf(replacement, at + 1)) {
    const read = Buffer.from(text.slice(0, at + 1));
    if (!bytes.subarray(0, read.length).equals(read)) return at;
  }
  return 0;
}
