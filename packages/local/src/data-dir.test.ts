import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataDir } from './data-dir.ts';
import { FlagError } from './flags.ts';

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-data-dir-test-'));
  dataDir = join(folder, 'data');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

test.each([
  ['the folder of a kept run', ['secrets.json', 'postgres'], 'the data of runs without --ephemeral'],
  ["somebody else's files", ['thesis.txt'], 'other files'],
  ['a lock of another program', ['run.lock', 'thesis.txt'], 'other files'],
])('an ephemeral run refuses %s and changes nothing in it', async (_what, names, reason) => {
  await mkdir(dataDir);
  for (const name of names) await writeFile(join(dataDir, name), 'precious');
  await expect(openDataDir(dataDir, true)).rejects.toThrow(FlagError);
  await expect(openDataDir(dataDir, true)).rejects.toThrow(
    `--ephemeral would remove ${dataDir}, which holds ${reason}`,
  );
  expect((await readdir(dataDir)).sort()).toEqual([...names].sort());
  for (const name of names) expect(await readFile(join(dataDir, name), 'utf8')).toBe('precious');
});

test.each(['run', 'failed start'] as const)('after a %s a folder that it has made is gone', async (after) => {
  const opened = await openDataDir(dataDir, true);
  expect(opened.wasEmpty).toBe(true);
  await writeFile(join(dataDir, 'secrets.json'), '');
  await opened.remove(after);
  expect(await isThere(dataDir)).toBe(false);
});

test('others cannot see what is in a folder that it has made', async () => {
  const opened = await openDataDir(join(dataDir, 'inner'), false);
  for (const path of [dataDir, opened.path]) expect((await stat(path)).mode & 0o066).toBe(0);
  await opened.release();
});

test('an empty folder that was there is gone after a run, and as it was after a failed start', async () => {
  await mkdir(dataDir);
  const failed = await openDataDir(dataDir, true);
  await writeFile(join(dataDir, 'secrets.json'), '');
  await failed.remove('failed start');
  expect(await readdir(dataDir)).toEqual([]);

  await (await openDataDir(dataDir, true)).remove('run');
  expect(await isThere(dataDir)).toBe(false);
});

test('without a name it is a new folder, gone whatever becomes of the start', async () => {
  const opened = await openDataDir(undefined, true);
  expect(await isThere(opened.path)).toBe(true);
  await opened.remove('failed start');
  expect(await isThere(opened.path)).toBe(false);
});

test('what a killed ephemeral run has left is known as such, until a run keeps it', async () => {
  const killed = await openDataDir(dataDir, true);
  await writeFile(join(dataDir, 'secrets.json'), '');
  await killed.release();
  const next = await openDataDir(dataDir, true);
  expect(next.wasEmpty).toBe(false);
  await next.release();

  await (await openDataDir(dataDir, false)).release();
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
  await expect(openDataDir(dataDir, true)).rejects.toThrow(FlagError);
});
