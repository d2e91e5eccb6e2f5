import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Command } from '../src/processes/child.ts';
import { databaseServices, serviceNames } from '@parley/contracts/services';
import { provision } from '@parley/postgres/schema/provision';
import { serviceUrl } from '@parley/postgres/connecting/urls';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import type { RpcTlsFiles } from '@parley/runtime/config/config';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { readyMsMax, StartError } from '../src/processes/program.ts';
import { startPostgres } from '../src/postgres/postgres.ts';
import type { ServiceProcess } from '../src/processes/services.ts';
import { startSystem } from '../src/system.ts';

const quietLogger = createLogger('test', 'silent');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-system-test-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('a service that cannot start is reported at once, and nothing is left behind', async () => {
  const dataDir = join(folder, 'data');
  const commands: Command[] = [];
  const adapt = (command: Command, { service }: ServiceProcess): Command => {
    commands.push(command);
    return service === 'customer'
      ? { file: process.execPath, args: ['-e', "console.error('no luck'); process.exit(3)"] }
      : command;
  };
  const startedAt = performance.now();
  const error = await startSystem({ dataDir, ephemeral: true, env: process.env, adapt }).catch(
    (thrown: unknown) => thrown,
  );
  // The gateway is ready only when all services are, so it would time out last.
  expect(performance.now() - startedAt).toBeLessThan(readyMsMax);
  expect(error).toBeInstanceOf(StartError);
  expect((error as StartError).message).toMatch(/^customer ended: exit code 3 .*\n.*no luck/);
  expect(commands).toHaveLength(serviceNames.length);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test('on the server of DATABASE_URL a run changes nothing of another deployment, and an ephemeral run leaves nothing', async () => {
  await using postgres = await startPostgres({ dataDir: join(folder, 'server'), durable: false });
  const env = { ...process.env, DATABASE_URL: postgres.url };
  const theirs = { name: 'identity', password: 'of-a-deployment' };
  await provision({ adminUrl: postgres.url, database: 'parley', services: [theirs] });
  const kept = startSystem({ dataDir: join(folder, 'kept'), env });
  await expect(kept).rejects.toThrow(StartError);
  await expect(kept).rejects.toThrow(
    /^the database cannot be set up: .*: database parley, role parley_identity\. Nothing was changed\. Use another server/,
  );
  const refused = startSystem({ dataDir: join(folder, 'refused'), ephemeral: true, env });
  await expect(refused).rejects.toThrow(StartError);
  const theirUrl = serviceUrl(postgres.url, 'parley', theirs);
  expect(await query(theirUrl, 'select current_user as role')).toEqual([{ role: 'parley_identity' }]);

  await query(postgres.url, 'drop database parley');
  await query(postgres.url, 'drop role parley_identity');
  const dataDir = join(folder, 'data');
  const system = await startSystem({ dataDir, ephemeral: true, env, tls: true });
  await expect(isServing(system, 'identity')).resolves.toBe(true);
  await expect(isServing(system, 'webhook')).resolves.toBe(true);
  await expect(isServing({ operator: { ...system.operator, tls: undefined } }, 'identity')).resolves.toBe(
    false,
  );
  const leftOf = `select datname from pg_database where datname = 'parley'
    union all select rolname from pg_roles where rolname like 'parley%'`;
  // The database, and the roles.
  expect(await query(postgres.url, leftOf)).toHaveLength(1 + databaseServices.length);
  await system.stop();
  expect(await query(postgres.url, leftOf)).toEqual([]);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

/** Returns whether a service accepts the calls of the operator. */
async function isServing(
  {
    operator,
  }: {
    operator: { [name in 'identity' | 'webhook' | 'operatorToken']: string } & {
      tls?: RpcTlsFiles | undefined;
    };
  },
  service: 'identity' | 'webhook',
): Promise<boolean> {
  await using tls = openTls(operator.tls, 'cli', quietLogger);
  using peer = connect(operator[service], { token: operator.operatorToken, tls: tls?.to(service) });
  return await peer.isServing();
}

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
