import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runErrand } from '../src/errand.ts';
import { commandLine } from '../src/leftover.ts';

// An errand that is given up, by the one that takes long: a fetch.

let folder: string;
let binDir: string;
let proxy: Server;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-errand-test-'));
  binDir = join(folder, 'bin');
  proxy = createServer().listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  for (const name of ['https_proxy', 'NO_PROXY', 'no_proxy']) vi.stubEnv(name, undefined);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  proxy.close();
  await rm(folder, { recursive: true, force: true });
});

test('a fetch that is given up while the network is silent leaves nothing behind', async () => {
  const asked = once(proxy, 'connection');
  const controller = new AbortController();
  const fetching = runErrand('fetchNatsServer', { binDir }, controller.signal);
  await asked;
  expect(await readdir(binDir)).toEqual([expect.stringMatching(/^fetch-/)]);

  const reason = new Error('not wanted any more');
  controller.abort(reason);
  await expect(fetching).rejects.toBe(reason);
  expect(await readdir(binDir)).toEqual([]);
});

test('a fetch that is given up ends the programs that it runs', async () => {
  // The release cannot be had, and the package manager takes its time.
  proxy.on('connection', (socket) => socket.destroy());
  const pidFile = join(folder, 'pid');
  const packageManager = join(folder, 'apt-get');
  await writeFile(packageManager, `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 60\n`);
  await chmod(packageManager, 0o755);
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter));
  const controller = new AbortController();
  const fetching = runErrand('fetchNatsServer', { binDir }, controller.signal);
  const pid = await vi.waitFor(async () => {
    const written = await readFile(pidFile, 'utf8');
    expect(written).toMatch(/^\d+\n$/);
    return Number(written);
  }, 10_000);

  controller.abort();
  await expect(fetching).rejects.toThrow('aborted');
  expect(await commandLine(pid)).toBeUndefined();
  expect(await readdir(binDir)).toEqual([]);
});

test('an errand that is given up before it begins does not begin', async () => {
  const reason = new Error('not wanted any more');
  await expect(runErrand('fetchNatsServer', { binDir }, AbortSignal.abort(reason))).rejects.toBe(reason);
  await expect(readdir(binDir)).rejects.toThrow('ENOENT');
});
