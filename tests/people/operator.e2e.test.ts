import type { Deployment } from '@parley/client';
import { databaseServices, services } from '@parley/contracts/services';
import type { System } from '@parley/local/system';
import { api, basic, createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startTestSystem } from '@parley/testing/setup/system';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { createLink, createOperatorLink, openLink, type Person, signInBy } from './console-people.ts';
import { type Processes, processesOf } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// The operator sees whether everything is well, and nobody else does.

const stack = new AsyncDisposableStack();
let system: System;
let processes: Processes;
let baseUrl: string;
let olga: Person;

beforeAll(async () => {
  system = stack.use(await startTestSystem({ replicas: { webhook: 2 } }));
  ({ baseUrl } = system.local());
  processes = processesOf(system);
  olga = await signInBy(baseUrl, await createOperatorLink(system.operator));
});
afterAll(async () => {
  processes?.thawAll();
  await stack.disposeAsync();
});

async function read(): Promise<Deployment> {
  const { status, body } = await olga.calls.get<Deployment>('/deployment');
  expect([status, body.type]).toEqual([200, undefined]);
  return body.data;
}

const becomes = (expected: object): Promise<Deployment> =>
  eventually(async () => {
    const state = await read();
    expect(state).toMatchObject(expected);
    return state;
  });

const alertsOf = ({ problems }: Deployment): string[] => problems.map(({ alert }) => alert);

describe('a session of the operator', () => {
  test('says so, and has no workspace', async () => {
    const { body } = await olga.calls.get('/session');
    expect(body.data).toMatchObject({ type: 'person', name: 'Olga', isOperator: true, workspaces: [] });
    const { id } = await createWorkspace(baseUrl, system.operator);
    expect((await olga.calls.get('/workspaces')).body.data).toEqual([]);
    for (const path of ['', '/customers', '/apikeys', '/members', '/audit-events'])
      expect((await olga.calls.get(`/workspaces/${id}${path}`)).status).toBe(404);
    expect((await olga.calls.post(`/workspaces/${id}/customers`, { id: 'c' })).status).toBe(404);
  });

  test('is signed in once by a link of the command line, and ends exactly', async () => {
    const command = ['console', 'link', '--data-dir', system.dataDir, '--operator', '--name', 'Bob'];
    const { exitCode, stdout } = await runCommand(command);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching('/console/sign-in/link#prl_lnk_')]);
    expect((await runCommand([...command, '--role', 'viewer'])).exitCode).toBe(2);
    expect((await runCommand(command.slice(0, 4))).exitCode).toBe(2);
    const code = stdout.trim().split('#')[1] ?? '';
    const bob = await signInBy(baseUrl, code);
    expect((await openLink(baseUrl, code)).body).toMatchObject({ code: 401, type: 'invalid-link' });
    expect((await bob.calls.get('/deployment')).status).toBe(200);
    expect((await bob.calls.delete('/session')).status).toBe(200);
    expect((await bob.calls.get('/deployment')).status).toBe(401);
  });
});

describe('the command line', () => {
  interface Listed {
    personId: string;
    name: string;
  }
  const run = async <Result>(...args: string[]): Promise<Result> => {
    const { exitCode, stdout, stderr } = await runCommand([...args, '--data-dir', system.dataDir, '--json']);
    expect([exitCode, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Result;
  };

  test('lists the operators who are signed in, and ends all sessions of one, exactly', async () => {
    const code = await createOperatorLink(system.operator, 'Carl');
    const carl = await signInBy(baseUrl, code);
    expect((await carl.calls.get('/deployment')).status).toBe(200);
    const before = await run<Listed[]>('console', 'operators');
    expect(before[0]).toMatchObject({ personId: carl.personId, name: 'Carl', email: null });
    expect(before.map(({ personId }) => personId)).toContain(olga.personId);
    const ended = { personId: carl.personId, ended: 1 };
    expect(await run('console', 'sign-out', carl.personId)).toEqual(ended);
    expect((await carl.calls.get('/deployment')).status).toBe(401);
    expect(await run('console', 'sign-out', carl.personId)).toEqual({ ...ended, ended: 0 });
    const after = await run<Listed[]>('console', 'operators');
    expect(after.map(({ personId }) => personId)).not.toContain(carl.personId);
    expect((await olga.calls.get('/deployment')).status).toBe(200);
  });

  test('signs out members too, and rejects the ids of others', async () => {
    const { id, client } = await createWorkspace(baseUrl, system.operator);
    const member = await signInBy(baseUrl, await createLink(system.operator, id));
    expect(await run('console', 'sign-out', member.personId)).toMatchObject({ ended: 1 });
    expect((await member.calls.get('/session')).status).toBe(401);
    const [event] = (await client.audit.list({ action: 'session.ended' })).data;
    expect(event).toMatchObject({
      actor: { type: 'operator' },
      targets: [{ type: 'person', id: member.personId }],
    });
    for (const unknown of [id, 'nobody']) {
      const command = ['console', 'sign-out', unknown, '--data-dir', system.dataDir];
      const { exitCode } = await runCommand(command);
      expect(exitCode).toBe(1);
    }
  });
});

describe('nobody else sees the deployment', () => {
  const operatorOnly = { code: 403, type: 'operator-only', success: false };

  test('not an owner, nor a key with all scopes', async () => {
    const { id, apiKey, apiSecret } = await createWorkspace(baseUrl, system.operator);
    const owner = await signInBy(baseUrl, await createLink(system.operator, id));
    expect((await owner.calls.get('/deployment')).body).toMatchObject(operatorOnly);
    const key = api(`${baseUrl}/v1`, basic(apiKey, apiSecret));
    expect((await key.get('/deployment')).body).toMatchObject(operatorOnly);
    expect((await key.get('/session')).body.data).toMatchObject({ isOperator: false });
  });

  test('not without a credential, nor from another site', async () => {
    expect((await api(`${baseUrl}/v1`, undefined).get('/deployment')).status).toBe(401);
    const headers = { cookie: olga.cookie, 'sec-fetch-site': 'cross-site', 'x-parley-console': '1' };
    const crossed = await api(`${baseUrl}/v1`, undefined).get('/deployment', headers);
    expect(crossed.body).toMatchObject({ code: 403, type: 'cross-site' });
  });
});

describe('the deployment', () => {
  afterEach(() => processes.thawAll());

  test('is well: all services answer, the shards have owners, and the stream is online', async () => {
    const state = await becomes({ isWell: true, problems: [], shards: { unowned: 0 } });
    expect(state.services.map(({ name, replicas }) => [name, replicas.length])).toEqual([
      ['gateway', 1],
      ...databaseServices.map((name) => [name, name === 'webhook' ? 2 : 1]),
    ]);
    for (const { name, isWell, versions, replicas } of state.services) {
      expect([name, isWell, versions.length]).toEqual([name, true, 1]);
      for (const replica of replicas)
        expect(replica).toMatchObject({ state: 'ready', silentSince: null, version: versions[0] });
    }
    expect(state.eventLogs.map(({ service }) => service).toSorted()).toEqual(
      databaseServices.filter((name) => services[name].bus.raisesEvents).toSorted(),
    );
    const consumers = databaseServices.filter((name) => services[name].bus.consumesEvents);
    expect(state.consumers.map(({ durable }) => durable)).toEqual(
      [...consumers, 'webhook-postponed'].toSorted(),
    );
    expect(state.shards.owners.reduce((sum, { shards }) => sum + shards, 0)).toBe(256);
    expect(state.stream).toMatchObject({
      name: 'PARLEY_EVENTS',
      isWell: true,
      replicas: { set: 1, configured: 1, online: 1 },
    });
    expect(state.deliveries).toMatchObject({ isWell: true, egress: [{ isUp: true }, { isUp: true }] });
  });

  test('a frozen replica is silent, its shards move, and afterwards everything is well again', async () => {
    const pid = processes.pidOf('webhook-2');
    processes.freeze(pid);
    const state = await becomes({ isWell: false, problems: [{ alert: 'ParleyProcessDown' }] });
    expect(state.problems[0]).toMatchObject({
      part: 'services',
      subject: expect.stringMatching(/^webhook 127\.0\.0\.1:\d+$/) as string,
      runbookUrl: `${baseUrl}/guides/runbooks/ParleyProcessDown`,
    });
    const runbook = await fetch(String(state.problems[0]?.runbookUrl));
    expect([runbook.status, (await runbook.text()).includes('ParleyProcessDown')]).toEqual([200, true]);
    const webhook = state.services.find(({ name }) => name === 'webhook');
    expect(webhook?.isWell).toBe(false);
    expect(webhook?.replicas.map((replica) => replica.state).toSorted()).toEqual(['ready', 'silent']);
    expect(webhook?.replicas.find((replica) => replica.state === 'silent')?.silentSince).not.toBeNull();
    await becomes({ shards: { unowned: 0, owners: [{ shards: 256 }] } });
    processes.thaw(pid);
    await becomes({ isWell: true, shards: { unowned: 0, owners: [{}, {}] } });
  });

  test('a consumer that is stopped has events to handle, and its service is absent', async () => {
    const pid = processes.pidOf('insight');
    processes.freeze(pid);
    const { publish, api: calls } = await createWorkspace(baseUrl, system.operator);
    const botId = await publish(npsBot);
    for (const customerId of ['a', 'b', 'c'])
      expect((await calls.post('/interactions', { customerId, botId, status: 'Pending' })).status).toBe(200);
    const lagging = await eventually(async () => {
      const state = await read();
      const lag = state.consumers.find(({ durable }) => durable === 'insight')?.lag ?? 0;
      expect(lag).toBeGreaterThanOrEqual(3);
      return state;
    });
    expect(alertsOf(lagging)).toContain('ParleyServiceAbsent');
    processes.thaw(pid);
    const caughtUp = await becomes({ isWell: true });
    expect(caughtUp.consumers).toContainEqual(expect.objectContaining({ durable: 'insight', isWell: true }));
  });

  test('the command line prints the same, and its exit code is 1 if something is not well', async () => {
    const command = ['status', '--data-dir', system.dataDir];
    const well = await runCommand([...command, '--json']);
    expect([well.exitCode, well.stderr]).toEqual([0, '']);
    const { services } = JSON.parse(well.stdout) as Deployment;
    const names = (await read()).services.map(({ name }) => name);
    expect(['gateway', ...services.map(({ name }) => name)]).toEqual(names);
    expect((await runCommand(command)).stdout).toMatch(/^Everything is well\.\n\nSERVICE +ADDRESS/);

    const pid = processes.pidOf('customer');
    processes.freeze(pid);
    const down = await runCommand(command);
    processes.thaw(pid);
    expect([down.exitCode, down.stderr]).toEqual([1, 'parley: not everything is well\n']);
    expect(down.stdout).toContain('- No replica of customer answers (ParleyServiceAbsent)');
  });
});
