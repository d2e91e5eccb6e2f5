import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { parseNatsUrl } from '@parley/runtime/config/nats-url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProcess } from '../src/files/leftover.ts';
import { startNats } from '../src/processes/nats.ts';
import { findNatsServer } from '../src/processes/nats-server.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-nats-test-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('a NATS server with JetStream is found or fetched, and keeps streams across a restart', async () => {
  const first = await startNats({ dataDir });
  await request(first.url, '$JS.API.STREAM.CREATE.kept', { name: 'kept', subjects: ['kept.>'] });
  await first.stop();

  await using second = await startNats({ dataDir, port: first.port });
  expect(second.url).toBe(first.url);
  expect(await request(second.url, '$JS.API.STREAM.NAMES', {})).toMatchObject({ streams: ['kept'] });
});

test('a server with a password rejects connections without it, and no command line shows it', async () => {
  await using server = await startNats({ dataDir, passwordOf: () => 'secret' });
  const noCredentials = server.url.replace(/\/\/.*@/, '//');
  await expect(request(noCredentials, '$JS.API.INFO', {})).rejects.toThrow(/Authorization Violation/);
  expect(await request(server.url, '$JS.API.INFO', {})).toMatchObject({ streams: 0 });
  expect((await findProcess(server.pid))?.command).not.toContain('secret');
});

test('NATS_SERVER_BIN of the given environment selects the server; one that is no program is rejected with its name', async () => {
  const file = await findNatsServer(process.env, () => {});
  const link = join(dataDir, 'linked');
  await symlink(file, link);
  await using server = await startNats({ dataDir, env: { NATS_SERVER_BIN: link } });
  expect((await findProcess(server.pid))?.command).toContain(link);
  const nothing = join(dataDir, 'nothing');
  await expect(startNats({ dataDir, env: { NATS_SERVER_BIN: nothing } })).rejects.toThrow(
    `NATS_SERVER_BIN is ${nothing}, which is not an executable file`,
  );
});

async function request(url: string, subject: string, body: unknown): Promise<unknown> {
  const { servers, credentials } = parseNatsUrl(url);
  const connection = await connect({ servers, ...credentials });
  try {
    return (await connection.request(subject, JSON.stringify(body))).json();
  } finally {
    await connection.close();
  }
}
