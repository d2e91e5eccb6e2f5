import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@parley/testing/database/database';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const stack = new AsyncDisposableStack();
let url: string;
let dataDir: string;

beforeAll(async () => {
  ({ url } = stack.use(await createDatabase('customer')));
  dataDir = stack.use(await temporaryFolder('migrate')).path;
});
afterAll(() => stack.disposeAsync());

const migrateCustomer = (args: string[], env: NodeJS.ProcessEnv) =>
  runCommand(['migrate', '--service', 'customer', ...args], { env });

test('migrate lists and applies the migrations of a service', async () => {
  const env = { DATABASE_URL: url };
  const dryRun = { exitCode: 0, stdout: expect.stringMatching(/^would apply 0001-init\n/), stderr: '' };
  expect(await migrateCustomer(['--dry-run'], env)).toEqual(dryRun);
  const { exitCode, stdout } = await migrateCustomer(['--json'], env);
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    0,
    { applied: expect.arrayContaining(['0001-init']) },
  ]);
});

test('migrate finds the database of a local run', async () => {
  const none = await migrateCustomer(['--data-dir', dataDir], {});
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`no local run in ${dataDir}`) });
  const { password } = new URL(url);
  const postgresUrl = url.replace(/\/\/[^@]*@/, '//postgres:secret@');
  await writeFile(join(dataDir, 'local.json'), JSON.stringify({ postgresUrl }));
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ passwords: { customer: password } }));
  expect(await migrateCustomer(['--data-dir', dataDir, '--dry-run'], {})).toMatchObject({ exitCode: 0 });
});

test('migrate reports failures and wrong usage by its exit code', async () => {
  const [refused, malformed, unnamed, unknown] = await Promise.all([
    migrateCustomer([], { DATABASE_URL: url.replace(/\/\/[^@]*@/, '//nobody:wrong@') }),
    migrateCustomer(['--json'], { DATABASE_URL: 'nowhere' }),
    runCommand(['migrate']),
    runCommand(['migrate', '--service', 'gateway']),
  ]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nobody') });
  expect(malformed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"migration-failed"') });
  expect(unnamed.exitCode).toBe(2);
  expect(unknown.exitCode).toBe(2);
});

test('keys counts the secrets of a service, in a local run too', async () => {
  const service = 'identity';
  await using database = await createDatabase(service);
  await runCommand(['migrate', '--service', service], { env: { DATABASE_URL: database.url } });
  const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;
  const counted = { exitCode: 0, stdout: 'k1 (current): 0 values\n', stderr: '' };
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEYS };
  expect(await runCommand(['keys', '--service', service], { env })).toEqual(counted);
  const { password } = new URL(database.url);
  const postgresUrl = database.url.replace(/\/\/[^@]*@/, '//postgres:secret@');
  await writeFile(join(dataDir, 'local.json'), JSON.stringify({ postgresUrl }));
  const secrets = { passwords: { [service]: password }, identityKeys: ENCRYPTION_KEYS };
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(secrets));
  const json = await runCommand(['keys', '--service', service, '--data-dir', dataDir, '--json'], { env: {} });
  expect(JSON.parse(json.stdout)).toEqual([{ kid: 'k1', role: 'current', values: 0, unreadable: [] }]);
  expect(await runCommand(['keys', '--service', 'interaction'])).toMatchObject({ exitCode: 2 });
});
