import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../..');

/**
 * Replaces a file atomically: a reader gets the old or the new content. All users of the checkout can read it, also if
 * a local run, whose umask keeps its data private, builds the files.
 */
export function put(folder: string, path: string, contents: Uint8Array | string): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  for (const one of new Set([folder, dirname(target)])) chmodSync(one, 0o755);
  writeFileSync(`${target}.${process.pid}`, contents);
  chmodSync(`${target}.${process.pid}`, 0o644);
  renameSync(`${target}.${process.pid}`, target);
}

/** Removes files of earlier builds from `folder`, but not files that another process is writing. */
export function removeOthers(folder: string, paths: string[]): void {
  for (const path of filesBelow(folder)) {
    if (!paths.includes(relative(folder, path)) && !/\.\d+$/.test(path)) rmSync(path, { force: true });
  }
}

/** Returns a digest of the sources in `folders`, without tests, and of `files`. */
export function markOf(folders: string[], files: string[]): string {
  const hash = createHash('sha256');
  const sources = folders.flatMap(filesBelow).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of [...sources, ...files]) {
    hash.update(`\0${relative(repository, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
