import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '@parley/testing/servers/ports';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findProcess } from '../src/files/leftover.ts';
import { fetchNatsServer } from '../src/processes/nats-server.ts';

let folder: string;
let binDir: string;
let proxy: Server;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-nats-server-test-'));
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

test('an aborted fetch on a silent network leaves nothing behind', async () => {
  const asked = once(proxy, 'connection');
  const controller = new AbortController();
  const fetching = fetchNatsServer(binDir, controller.signal);
  await asked;
  expect(await readdir(binDir)).toEqual([expect.stringMatching(/^fetch-/)]);

  const reason = new Error('not wanted any more');
  controller.abort(reason);
  await expect(fetching).rejects.toBe(reason);
  expect(await readdir(binDir)).toEqual([]);
});

test('an aborted fetch ends its programs', async () => {
  // The release is unavailable, and the package manager is slow.
  proxy.on('connection', refuse);
  const pidFile = join(folder, 'pid');
  await writeProgram('apt-get', `echo $$ > ${pidFile}\nexec sleep 60`);
  const controller = new AbortController();
  const fetching = fetchNatsServer(binDir, controller.signal);
  const pid = await vi.waitFor(async () => {
    const written = await readFile(pidFile, 'utf8');
    expect(written).toMatch(/^\d+\n$/);
    return Number(written);
  }, 60_000);

  controller.abort();
  await expect(fetching).rejects.toThrow('aborted');
  expect(await findProcess(pid)).toBeUndefined();
  expect(await readdir(binDir)).toEqual([]);
});

test('two fetches at once both succeed and leave nothing else', async () => {
  proxy.on('connection', refuse);
  const program = `mkdir -p files/usr/sbin\nprintf '#!/bin/sh\\n' > files/usr/sbin/nats-server`;
  // Each fetch waits until the other one has started.
  const turn = `: > ${folder}/fetching-$$\nwhile [ $(ls ${folder} | grep -c fetching-) -lt 2 ]; do :; done`;
  await writeProgram('apt-get', `${turn}\n: > cache/archives/nats-server.deb`);
  await writeProgram('dpkg-deb', `${program}\nchmod +x files/usr/sbin/nats-server`);
  const fetching = [1, 2].map(() => fetchNatsServer(binDir));
  const path = join(binDir, 'nats-server');
  expect(await Promise.all(fetching)).toEqual([path, path]);
  expect(await readdir(binDir)).toEqual(['nats-server']);
  // Other requests of the process do not use the proxy.
  const connections: Socket[] = [];
  proxy.on('connection', (socket) => connections.push(socket));
  await expect(fetch(`https://127.0.0.1:${await freePort()}`)).rejects.toThrow('fetch failed');
  expect(connections).toEqual([]);
});

test('a fetch with an aborted signal does nothing', async () => {
  const reason = new Error('not wanted any more');
  await expect(fetchNatsServer(binDir, AbortSignal.abort(reason))).rejects.toBe(reason);
  await expect(readdir(binDir)).rejects.toThrow('ENOENT');
});

/** Answers like a proxy that cannot reach the release. */
function refuse(socket: Socket): void {
  socket.on('error', () => {}).end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
}

/** A program in the PATH, as a shell script. */
async function writeProgram(name: string, script: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter));
}
