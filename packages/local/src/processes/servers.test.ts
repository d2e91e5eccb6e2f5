import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NatsPlace } from '../placement.ts';
import { ensureSecrets } from '../files/secrets.ts';
import { ensureNats } from './servers.ts';
import { supervise } from './supervisor.ts';

const startWith = async (natsUrl: string, places: NatsPlace[] = []): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-servers-test-'));
  try {
    const context = {
      dataDir,
      ephemeral: true,
      env: { NATS_URL: natsUrl },
      secrets: await ensureSecrets(dataDir),
      supervisor: supervise({ logDir: dataDir, show: () => {}, onChange: () => {} }),
      show: () => {},
      signal: new AbortController().signal,
      ending: new AbortController().signal,
      closing: new DisposableStack(),
      cleanup: new AsyncDisposableStack(),
    };
    return (await ensureNats(context, places)).admin;
  } finally {
    await rm(dataDir, { recursive: true });
  }
};

test('one of the addresses in NATS_URL must be reachable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const given = `nats://u:hunter2@127.0.0.1:1,nats://u:hunter2@127.0.0.1:${port}`;
  expect(await startWith(given)).toBe(given);
  server.close();
});

test.each([
  ['nats://u:hunter2@127.0.0.1:1', 'NATS_URL: nothing can be reached at 127.0.0.1:1'],
  ['http://u:hunter2@127.0.0.1', 'NATS_URL must be nats://host:port'],
])('%s is rejected without showing its password', async (given, message) => {
  await expect(startWith(given)).rejects.toThrow(message);
  await expect(startWith(given)).rejects.not.toThrow(/hunter2/);
});

test('a cluster is not started beside the server of NATS_URL', async () => {
  const places = ['nats-1', 'nats-2', 'nats-3'].map((name) => ({ name, port: 1, routePort: 1 }));
  await expect(startWith('nats://127.0.0.1:1', places)).rejects.toThrow('--nats starts servers');
});
