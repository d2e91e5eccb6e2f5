import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { supervise } from './processes.ts';
import { startBus } from './servers.ts';

const startWith = (natsUrl: string): Promise<string> => {
  const { signal } = new AbortController();
  const options = { dataDir: tmpdir(), ephemeral: true, port: 0, password: '', show: () => {}, signal };
  const supervisor = supervise({ logDir: tmpdir(), show: () => {}, onChange: () => {} });
  return startBus({ ...options, env: { NATS_URL: natsUrl } }, supervisor);
};

test('of the addresses of NATS one has to answer', async () => {
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
])('%s cannot be used, which is told without its password', async (given, message) => {
  await expect(startWith(given)).rejects.toThrow(message);
  await expect(startWith(given)).rejects.not.toThrow(/hunter2/);
});
