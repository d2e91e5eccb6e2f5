import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';

/** Writes the value as JSON with `writePrivateText`. */
export async function writePrivateFile(path: string, value: unknown): Promise<void> {
  await writePrivateText(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a file that only its owner can read. Readers see the old file or the new one, never a part. */
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

/** Makes the folder if it is missing. In both cases only its owner can enter it afterwards. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
}
