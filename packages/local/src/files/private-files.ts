import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { z } from 'zod';
import { StartError } from '../processes/program.ts';

/**
 * Reads JSON that an earlier run wrote. Returns undefined for a missing or empty file. Throws `StartError`
 * with the path and the advice for a file that cannot be read or does not match the schema.
 */
export async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  advice: string,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StartError(`${path} cannot be read (${error.message}); ${advice}`, { cause: error });
  });
  if (text === '') return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartError(`${path} does not hold what a run writes there; ${advice}`, { cause });
  }
}

/** Writes the value as JSON with `writePrivateText`. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await writePrivateText(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a file that only its owner can read. Readers see the old or the new content, never a part. */
export async function writePrivateText(path: string, text: string): Promise<void> {
  const next = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(next, text, { mode: 0o600 });
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** Creates the folder if it is missing. Makes it accessible to its owner only. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
}
