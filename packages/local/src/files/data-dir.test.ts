import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataDir } from './data-dir.ts';
import { FlagError } from '../flags.ts';

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
])('an ephemeral run rejects %s and changes nothing in it', async (_what, names, reason) => {
  await mkdir(dataDir);
  for (const name of names) await writeFile(join(dataDir, name), 'precious');
  await expect(openDataDir(dataDir, true)).rejects.toThrow(FlagError);
  await expect(openDataDir(dataDir, true)).rejects.toThrow(
    `--ephemeral would remove ${dataDir}, which contains ${reason}`,
  );
  expect((await readdir(dataDir)).sort()).toEqual([...names].sort());
  for (const name of names) expect(await readFile(join(dataDir, name), 'utf8')).toBe('precious');
});

test('a kept run accepts the folder of an earlier run, and of an interrupted first start', async () => {
  await mkdir(dataDir);
  for (const name of ['logs', 'ports.json', 'secrets.json', 'receiver.mjs']) {
    await writeFile(join(dataDir, name), '');
    await (await openDataDir(dataDir, false)).release();
  }
});

test("a kept run rejects a folder with somebody else's files and changes nothing in it", async () => {
  await mkdir(dataDir);
  for (const name of ['thesis.txt', 'logs']) await writeFile(join(dataDir, name), 'precious');
  const reason = `a run would write into ${dataDir}, which contains other files`;
  await expect(openDataDir(dataDir, false)).rejects.toThrow(
    new FlagError(`${reason}. Use an empty or new folder, or omit --data-dir`),
  );
  expect((await readdir(dataDir)).sort()).toEqual(['logs', 'thesis.txt']);
});

test.each(['/proc/nope/data', import.meta.filename])(
  'a run rejects the impossible folder %s',
  async (path) => {
    await expect(openDataDir(path, false)).rejects.toThrow(FlagError);
    await expect(openDataDir(path, false)).rejects.toThrow(`--data-dir ${path} cannot be used: `);
  },
);

test('an ephemeral folder is removed, whether or not it existed before', async () => {
  for (const isNew of [true, false]) {
    if (!isNew) await mkdir(dataDir);
    const opened = await openDataDir(dataDir, true);
    expect(opened.wasEmpty).toBe(true);
    await writeFile(join(dataDir, 'secrets.json'), '');
    await opened.remove();
    expect(await isThere(dataDir)).toBe(false);
  }
});

test('other users cannot list a created folder', async () => {
  const opened = await openDataDir(join(dataDir, 'inner'), false);
  for (const path of [dataDir, opened.path]) expect((await stat(path)).mode & 0o066).toBe(0);
  await opened.release();
});

test('the default is a new temporary folder', async () => {
  const opened = await openDataDir(undefined, true);
  expect(await isThere(opened.path)).toBe(true);
  await opened.remove();
  expect(await isThere(opened.path)).toBe(false);
});

test('an ephemeral run takes over the folder of a killed one, but not of a run that keeps its data', async () => {
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
