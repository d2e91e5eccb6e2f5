import { randomUUID } from 'node:crypto';
import { type Api, api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import type { System } from '@parley/local/system';
import { repeatedly } from '@parley/testing/repeatedly';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Processes } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { browserWith, openBrowser, type Snapshot } from '../conversations/conversation.ts';
import { allServe, type Replicated } from './system.ts';

// Each service has two replicas. Clients use both gateways.

let replicated: Replicated;
let system: System;
let processes: Processes;
let first: string;
let second: string;
let workspace: TestWorkspace;
let botId: string;

async function setUp(): Promise<void> {
  ({ system, processes } = replicated);
  [first = '', second = ''] = system.local().gateways;
  workspace = await createWorkspace(first, system.operator);
  botId = await workspace.publish(npsBot);
}

function clientOn(gateway: string, secret = workspace.apiSecret): Api {
  return api(`${gateway}/v1/workspaces/${workspace.id}`, basic(workspace.apiKey, secret));
}

/** Completes it. Repeats a call that a busy system has refused or not answered in time. */
async function complete(id: string, gateway: string): Promise<number> {
  const { status } = await clientOn(gateway).patch(`/interactions/${id}`, { status: 'Completed' });
  return status === 503 || status === 504 ? complete(id, gateway) : status;
}

async function create(customerId: string): Promise<string> {
  const wanted = { customerId, botId, status: 'Pending' };
  return (await clientOn(first).post<{ id: string }>('/interactions', wanted)).body.data.id;
}

export function replicaTests(started: () => Replicated): void {
  beforeAll(async () => {
    replicated = started();
    await setUp();
  });

  test('20 interactions completed concurrently by both gateways cause one delivery each', async () => {
    await using receiver = await startReceiver();
    const hook = { url: receiver.url, secretToken: randomUUID(), isActive: true };
    const { body: made } = await clientOn(first).post<{ id: string }>('/webhooks', hook);
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => create(`c ${index}`)));
    const answers = await Promise.all(ids.flatMap((id) => [complete(id, first), complete(id, second)]));
    expect(new Set(answers)).toEqual(new Set([200]));
    const delivered = (): string[] =>
      receiver.requests.map(
        ({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id,
      );
    await eventually(() => expect(delivered().toSorted()).toEqual(ids.toSorted()));

    // One more behind them: a duplicate would have arrived before it.
    const last = await create('the last');
    await complete(last, second);
    await eventually(() => expect(delivered()).toContain(last));
    expect(delivered()).toHaveLength(ids.length + 1);
    await clientOn(first).delete(`/webhooks/${made.data.id}`);
  });

  test('after a rotation by one gateway, the other rejects the old secret at once', async () => {
    let secret = workspace.apiSecret;
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = round % 2 === 0 ? [first, second] : [second, first];
      expect((await clientOn(other, secret).get('/customers')).status).toBe(200);
      const { body } = await clientOn(one, secret).post<{ secret: string }>('/apikeys/rotate');
      expect((await clientOn(other, secret).get('/customers')).status).toBe(401);
      secret = body.data.secret;
      expect((await clientOn(other, secret).get('/customers')).status).toBe(200);
    }
    workspace = { ...workspace, apiSecret: secret, api: clientOn(first, secret) };
  });

  describe('a conversation', () => {
    test('that was started over one gateway continues over the other', async () => {
      const id = await create('wanders');
      const begun = await openBrowser(first, workspace, 'wanders');
      const elsewhere = browserWith(second, workspace.id, begun.sessionToken);
      const asked = await begun.start(id);
      const again = await elsewhere.say(id, asked, { value: 10 });
      expect((await begun.say(id, again, { skip: true })).status).toBe('Completed');
    });

    test('reaches long polls at every replica within a second of an answer', async () => {
      const id = await create('listens');
      const browser = await openBrowser(first, workspace, 'listens');
      const snapshot = await browser.start(id);
      await using admin = await openSqlConnection(system.local().postgresUrl);
      const [clock] = await admin.query<{ now: Date }>('select now()');
      const others: (typeof browser)[] = [];
      while (others.length < 6) others.push(await openBrowser(first, workspace, 'listens'));
      // Calls rotate among the replicas.
      const polls = others.map(async ({ api }) => {
        const { body } = await api.get<Snapshot>(`/conversations/${id}?after=${snapshot.seq}&wait=20`);
        return { seq: body.data.seq, heardAt: performance.now() };
      });
      await eventually(async () => {
        const asking = `select distinct application_name from pg_stat_activity where query like '%unnest%as known%'
        and usename = 'parley_interaction' and query_start > $1`;
        expect(await admin.query(asking, [clock?.now])).toHaveLength(2);
      });
      const { seq } = await browser.say(id, snapshot, { value: 10 });
      const answeredAt = performance.now();
      for (const poll of await Promise.all(polls)) {
        expect(poll.seq).toBe(seq);
        expect(poll.heardAt - answeredAt).toBeLessThan(1_000);
      }
    });
  });

  test('a frozen replica that resumes after an anonymisation keeps details that were set since', async () => {
    const client = clientOn(first);
    const ids = Array.from({ length: 10 }, (_, index) => `late ${index}`);
    await Promise.all(ids.map((id) => client.post('/customers', { id, firstName: 'Old' })));
    const pid = processes.pidOf('customer-1');
    processes.freeze(pid);
    const anonymised = await Promise.all(ids.map((id) => client.post(`/customers/${id}/anonymise`)));
    // Now its silence is known, and changes go to the other replica.
    const changed = await Promise.all(
      ids.map((id) => client.patch(`/customers/${id}`, { firstName: 'New' })),
    );
    expect(new Set([...anonymised, ...changed].map(({ status }) => status))).toEqual(new Set([200]));
    processes.thaw(pid);
    await allServe(replicated, system.operator.customer);
    for (const id of ids) {
      const { body } = await client.get<{ firstName: string }>(`/customers/${id}`);
      expect(body.data.firstName).toBe('New');
    }
  });

  describe('with continuous calls, one at a time from each of several clients', () => {
    const clients = 4;
    /** From a call of a client to its next one: more load would only slow the replacements down. */
    const paceMs = 25;

    /** Makes calls until the work is done, and returns the statuses of the failed ones. */
    async function failuresWhile(path: string, work: () => Promise<void>): Promise<number[]> {
      const failures: number[] = [];
      const call = async (loop: number): Promise<void> => {
        const { status } = await clientOn(loop % 2 === 0 ? first : second).get(path);
        if (status !== 200) failures.push(status);
      };
      const calling = repeatedly(call, { parallel: clients, pauseMs: paceMs });
      try {
        await work();
      } finally {
        await calling.stop();
      }
      return failures;
    }

    async function replace(name: string, signal: NodeJS.Signals, addresses: string): Promise<void> {
      await allServe(replicated, addresses);
      await processes.end(name, signal);
      await allServe(replicated, addresses);
    }

    test('a replica that stops causes no failed call', async () => {
      const replaced = (): Promise<void> => replace('webhook-1', 'SIGTERM', system.operator.webhook);
      expect(await failuresWhile('/webhooks', replaced)).toEqual([]);
    });

    test('a frozen replica gets no calls after 1.5 seconds, and at most 0.5 % of all calls fail', async () => {
      const calls: { sentAtMs: number; status: number }[] = [];
      const callBoth = async (loop: number): Promise<void> => {
        const client = clientOn(loop % 2 === 0 ? first : second);
        const send = async (call: () => Promise<{ status: number }>): Promise<void> => {
          const sentAtMs = performance.now();
          calls.push({ sentAtMs, status: (await call()).status });
        };
        const interaction = { customerId: 'frozen', botId, status: 'Pending' };
        await send(() => client.post('/interactions', interaction));
        await send(() => client.get('/interactions?pageSize=1'));
      };
      const pid = processes.pidOf('interaction-1');
      processes.freeze(pid);
      const frozenAtMs = performance.now();
      const calling = repeatedly(callBoth, { parallel: clients, pauseMs: paceMs });
      // Longer than the keepalive of its connections. Each client can lose one call that is not idempotent.
      const isLongEnough = (): void => {
        expect(performance.now() - frozenAtMs).toBeGreaterThan(10_000);
        expect(calls.length).toBeGreaterThan(clients / 0.005);
      };
      await eventually(isLongEnough);
      processes.thaw(pid);
      await calling.stop();
      const failed = calls.filter(({ status }) => status !== 200);
      expect(failed.filter(({ sentAtMs }) => sentAtMs - frozenAtMs > 1_500)).toEqual([]);
      expect(failed.length / calls.length).toBeLessThanOrEqual(0.005);
      expect(failed.filter(({ status }) => status !== 503 && status !== 504)).toEqual([]);
    });

    test('a killed replica causes failures of its current calls only', async () => {
      const replaced = (): Promise<void> => replace('interaction-2', 'SIGKILL', system.operator.interaction);
      const failures = await failuresWhile('/interactions?pageSize=1', replaced);
      // It may have had none.
      expect(failures.length).toBeLessThanOrEqual(clients);
      expect(failures.filter((status) => status !== 503)).toEqual([]);
    });

    test('a killed webhook replica causes no lost delivery, and the other one continues', async () => {
      await using receiver = await startReceiver();
      const hook = { url: receiver.url, secretToken: 'of the other', isActive: true };
      await clientOn(first).post('/webhooks', hook);
      process.kill(processes.pidOf('webhook-1'), 'SIGKILL');
      const id = await create('during');
      await clientOn(second).patch(`/interactions/${id}`, { status: 'Completed' });
      // If the dead replica had received the event, the broker redelivers it to the other one after ten seconds.
      await eventually(() =>
        expect(receiver.requests.map(({ body }) => body.toString())).toEqual([expect.stringContaining(id)]),
      );
    });
  });
}
