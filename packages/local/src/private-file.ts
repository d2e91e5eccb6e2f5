import { rename, writeFile } from 'node:fs/promises';

/** Writes the value as JSON that only the owner can read; readers see the old file or the new one, never a part. */
export async function writePrivateFile(path: string, value: unknown): Promise<void> {
  const next = `${path}.${process.pid}.tmp`;
  await writeFile(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(next, path);
}
