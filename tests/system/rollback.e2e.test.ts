import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Deployment } from '@parley/deployment/resource';
import type { Command } from '@parley/local/processes/child';
import { isReachable } from '@parley/local/ports';
import { type DatabaseService, databaseServices, serviceNames } from '@parley/contracts/services';
import type { ServiceProcess } from '@parley/local/processes/services';
import { connect } from '@parley/rpc/connect';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import type { System } from '@parley/local/system';
import { startTestSystem } from '@parley/testing/setup/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesOf } from './processes.ts';
import { callsIn, type CreatedKey } from '../people/limited-keys.ts';
import { installRelease, obstacleToRelease } from './release.ts';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { type RollingLoad, startRollingLoad } from './rolling-load.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// The second of two replicas of each service changes from today's code to the last release and back, under load, on one
// schema, which a newer release changes meanwhile.

const today = resolve(import.meta.dirname, '../..');
/** Tables that a newer release changes. */
const tables: Partial<Record<DatabaseService, string>> = {
  identity: 'workspace',
  customer: 'customer',
  interaction: 'interaction',
  webhook: 'webhook',
  insight: 'generation',
};

const stack = new AsyncDisposableStack();
let lastRelease: string;
/** The checkout that the next process of each second replica is started from. */
let checkoutOfSecond = today;
let system: System;

beforeAll(async () => {
  if (await obstacleToRelease()) return;
  lastRelease = await installRelease();
  const replicas = Object.fromEntries(serviceNames.map((name) => [name, 2]));
  system = stack.use(await startTestSystem({ replicas, adapt: fromCheckout }));
});
afterAll(() => stack.disposeAsync());

/** Ten times the limits of a deployment for keys, a hundred times for browsers, as the local run has them. */
const limitsOfBrowsers = {
  RATE_LIMIT_BURST: '4000',
  RATE_LIMIT_SESSIONS_PER_MINUTE: '6000',
  RATE_LIMIT_PENDING_PER_MINUTE: '1200',
  RATE_LIMIT_CONVERSATION_PER_MINUTE: '12000',
  RATE_LIMIT_WORKSPACE_LOOKUPS_PER_MINUTE: '60000',
  RATE_LIMIT_SIGN_INS_PER_MINUTE: '30000',
};

function fromCheckout(command: Command, { name, service }: ServiceProcess): Command {
  // A service that is new since the last release stays as it is.
  const exists = existsSync(join(checkoutOfSecond, 'services', service));
  const checkout = name.endsWith('-2') && exists ? checkoutOfSecond : today;
  if (checkout === today) return command;
  // Its gateway has the demo in its only entry, and limits that are proportions today.
  const args = command.args.map((arg) =>
    arg.replace(today, checkout).replace('/src/demo/main.ts', '/src/main.ts'),
  );
  return { ...command, args, env: { ...command.env, ...limitsOfBrowsers } };
}

/** Replicas of the last release refuse a service that is new since, so it says that it cannot serve. */
const isOld = (name: string): boolean => existsSync(join(lastRelease, 'services', name));

async function allServe(): Promise<void> {
  const { operator } = system;
  using peers = new DisposableStack();
  const each = databaseServices
    .filter(isOld)
    .flatMap((name) => operator[name].replace('ipv4:', '').split(','));
  const replicas = each.map((address) => peers.use(connect(address, { token: operator.operatorToken })));
  const serving = () => Promise.all(replicas.map((replica) => replica.isServing()));
  await eventually(async () => expect(await serving()).not.toContain(false));
}

/** Replaces the second replica of each service by a process of a checkout, all at once. */
async function replaceSecond(load: RollingLoad, checkout: string): Promise<void> {
  checkoutOfSecond = checkout;
  const end = (name: string): Promise<void> => processesOf(system).end(name, 'SIGTERM');
  const endGateway = (): Promise<void> => {
    const gateway = String(system.local().gateways[1]);
    return load.without(gateway, async () => {
      await end('gateway-2');
      const { host } = new URL(gateway);
      await eventually(async () => expect(await isReachable(host)).toBe(true));
    });
  };
  await Promise.all(
    serviceNames.map((service) => (service === 'gateway' ? endGateway() : end(`${service}-2`))),
  );
  await allServe();
}

/** Waits until more conversations are completed. */
async function conversationsContinue({ completed }: RollingLoad): Promise<void> {
  const before = completed.length;
  await eventually(() => expect(completed.length).toBeGreaterThan(before + 10));
}

/** Calls what a key with limits must not call, at replicas that know scopes and at some that do not. */
async function limitsAreKept({ id, api }: TestWorkspace): Promise<void> {
  // Replicas of identity that do not know the call reject it.
  const key = await eventually(async () => {
    const made = await api.post<CreatedKey>('/apikeys', { name: 'Limited', scopes: ['customers:read'] });
    expect(made.status).toBe(200);
    return made.body.data;
  });
  const statuses = new Set<number>();
  for (const gateway of system.local().gateways) {
    for (let calls = 0; calls < 20; calls += 1) {
      statuses.add((await callsIn(gateway, id, key).get('/webhooks')).status);
    }
  }
  expect([...statuses].filter((status) => ![401, 403, 503].includes(status))).toEqual([]);
}

/** Asks all replicas for their state. Replicas of the last release do not know the question, which is no problem. */
async function bothAreShown(): Promise<void> {
  const { stdout } = await runCommand(['status', '--json', '--data-dir', system.dataDir]);
  const { services, problems } = JSON.parse(stdout) as Deployment;
  for (const { name, replicas } of services.filter((service) => isOld(service.name))) {
    expect([name, ...replicas.map(({ state }) => state).toSorted()]).toEqual([name, 'ready', 'unknown']);
  }
  const ofServices = problems.filter(
    ({ part, subject }) => part === 'services' && isOld(subject.split(' ')[0] ?? ''),
  );
  expect(ofServices).toEqual([]);
}

/** Changes the schemas as a newer release would. */
async function migrateToTomorrow(): Promise<void> {
  await using admin = await openSqlConnection(system.local().postgresUrl);
  for (const schema of databaseServices) {
    const table = tables[schema];
    if (table) await admin.query(`alter table ${schema}.${table} add column of_tomorrow text`);
    await admin.query(`insert into ${schema}.kysely_migration values ('9999-tomorrow', now()::text)`);
  }
}

test('the last release and today serve side by side on one schema, in both directions, with no failed call', async ({
  skip,
}) => {
  const obstacle = await obstacleToRelease();
  if (obstacle) skip(obstacle);
  const gateways = system.local().gateways;
  const workspace = await createWorkspace(String(gateways[0]), system.operator);
  const botId = await workspace.publish(npsBot);
  await using receiver = await startReceiver();
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
  await allServe();
  await using load = startRollingLoad(gateways, workspace, botId);

  await replaceSecond(load, lastRelease);
  await conversationsContinue(load);
  await limitsAreKept(workspace);
  await bothAreShown();
  await migrateToTomorrow();
  await conversationsContinue(load);
  await replaceSecond(load, today);
  await conversationsContinue(load);
  for (const service of databaseServices) {
    const log = await readFile(join(system.dataDir, `logs/${service}-2.log`), 'utf8');
    expect(log).toMatch(/"unknown":"9999-tomorrow".*a newer release has migrated the schema/);
  }

  await load.stop();
  expect(load.failures).toEqual([]);
  const delivered = (): string[] =>
    receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id,
    );
  await eventually(() => expect(delivered().toSorted()).toEqual(load.completed.toSorted()));
});
