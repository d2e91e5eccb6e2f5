import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseServices, serviceNames } from '@parley/contracts/services';
import { type Answer, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Processes } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { type SteadyConversations, startSteadyConversations } from './steady-conversations.ts';
import type { Faulty } from './system.ts';
import { openBrowser } from '../conversations/conversation.ts';

const stack = new AsyncDisposableStack();
let shown: string[];
let system: System;
let processes: Processes;
let baseUrl: string;
let workspace: TestWorkspace;
let receiver: Receiver;
let botId: string;

async function setUp(faulty: Faulty): Promise<void> {
  ({ system, processes, shown } = faulty);
  baseUrl = system.local().baseUrl;
  workspace = await createWorkspace(baseUrl, system.operator);
  receiver = stack.use(await startReceiver());
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
  botId = await workspace.publish(npsBot);
}

/** Longer than any call: the gateway times out after five seconds, and a busy machine can hold it up. */
const callMsMax = 15_000;

async function readiness() {
  const response = await fetch(`${baseUrl}/readyz`);
  return (await response.json()) as {
    code: number;
    detail: string;
    data: { unavailable: string[] } | null;
  };
}

function isReady(): Promise<void> {
  const allServe = { code: 200, data: { unavailable: [] } };
  return eventually(async () => expect(await readiness()).toMatchObject(allServe));
}

/** A rejection during an outage: in time, and in the form of the contract. */
function expectUnavailable({ status, headers, body }: Answer<unknown>): void {
  expect(body).toMatchObject({ success: false, code: status, data: null, meta: null });
  expect([503, 504]).toContain(status);
  if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

async function inTime<T>(call: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const answer = await call;
  expect(performance.now() - startedAt).toBeLessThan(callMsMax);
  return answer;
}

function adminSession(): Promise<SqlConnection> {
  return openSqlConnection(system.local().postgresUrl);
}

/** Locks the table exclusively until disposal, at the latest until the test ends, also by its time-out. */
async function lockTable(name: string): Promise<AsyncDisposable> {
  const session = await adminSession();
  onTestFinished(() => session[Symbol.asyncDispose]());
  await session.query('begin');
  await session.query(`lock table ${name} in access exclusive mode`);
  return session;
}

/**
 * Waits until `calls` equal statements of the service wait for a lock, long enough that the next one gets another
 * connection.
 */
async function untilWaiting(admin: SqlConnection, service: string, calls: number): Promise<void> {
  const waiting = `select query from pg_stat_activity
    where usename = $1 and wait_event_type = 'Lock' group by query
    having count(*) = $2 and max(query_start) < clock_timestamp() - interval '100 milliseconds'`;
  await eventually(async () => {
    expect(await admin.query(waiting, [`parley_${service}`, calls])).not.toEqual([]);
  });
}

/** Returns every row of a list, and its total. */
async function listAll<Row>(path: string): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await workspace.api.get<Row[]>(`${path}?pageSize=50&page=${page}`);
    rows.push(...body.data);
    if (page >= (body.meta?.totalPages ?? 0)) return { rows, total: body.meta?.totalResults ?? -1 };
  }
}

interface Interaction {
  id: string;
  status: string;
  customerId: string;
  data: string | null;
}

export function outageTests(faulty: () => Faulty): void {
  beforeAll(() => setUp(faulty()));
  afterAll(() => stack.disposeAsync());

  describe('during conversations', () => {
    let conversations: SteadyConversations;
    beforeAll(() => {
      conversations = startSteadyConversations([baseUrl], workspace, botId);
    });

    async function conversationsContinue(): Promise<void> {
      const before = conversations.completed.length;
      await eventually(() => expect(conversations.completed.length).toBeGreaterThan(before + 1));
      await isReady();
    }

    test.each(serviceNames)('the %s service can be killed', async (name) => {
      await conversationsContinue();
      await processes.end(name, 'SIGKILL');
      await conversationsContinue();
    });

    test.each([
      ['a fast stop', 'SIGINT'],
      ['an immediate stop', 'SIGQUIT'],
      ['the sudden death', 'SIGKILL'],
    ] as const)('they survive %s of Postgres', async (_name, signal) => {
      await processes.end('postgres', signal);
      await conversationsContinue();
    });

    test('calls are rejected in time while Postgres is unavailable, and /readyz shows it', async () => {
      await processes.end('postgres', 'SIGQUIT');
      const pid = processes.pidOf('postgres');
      processes.freeze(pid);
      const detail = `Not available at the moment: ${databaseServices.join(', ')}`;
      await eventually(async () => expect(await readiness()).toMatchObject({ code: 503, detail }));
      const calls = [
        workspace.api.get('/customers'),
        workspace.api.get('/interactions'),
        workspace.api.post('/interactions', { customerId: 'while Postgres is unavailable', botId }),
      ];
      for (const answer of await inTime(Promise.all(calls))) expectUnavailable(answer);
      // A service that starts meanwhile waits for it.
      await processes.end('customer', 'SIGKILL');
      processes.thaw(pid);
      await conversationsContinue();
    });

    test('calls are rejected in time while the database is unresponsive, and the next one is served at once', async () => {
      const lock = await lockTable('customer.customer');
      // More than there are connections.
      const calls = Array.from({ length: 30 }, () => workspace.api.get('/customers'));
      for (const answer of await inTime(Promise.all(calls))) expectUnavailable(answer);
      await lock[Symbol.asyncDispose]();
      expect((await workspace.api.get('/customers')).status).toBe(200);
    });

    test('calls are rejected in time while a service is frozen', async () => {
      const pid = processes.pidOf('customer');
      processes.freeze(pid);
      expectUnavailable(await inTime(workspace.api.get('/customers')));
      processes.thaw(pid);
      await conversationsContinue();
    });

    test('without the insight service, nothing else is unavailable, and /readyz names it', async () => {
      await conversationsContinue();
      const pid = processes.pidOf('insight');
      processes.freeze(pid);
      const isNamed = { code: 200, data: { unavailable: ['insight'] } };
      await eventually(async () => expect(await readiness()).toMatchObject(isNamed));
      const before = { refused: conversations.refusals.length, completed: conversations.completed.length };
      await eventually(() => expect(conversations.completed.length).toBeGreaterThan(before.completed + 3));
      expect(conversations.refusals.slice(before.refused)).toEqual([]);
      expectUnavailable(await inTime(workspace.api.get(`/bots/${botId}/insight`)));
      processes.thaw(pid);
      await isReady();
    });

    test('a call that was given up while a service was frozen has no effect when it resumes', async () => {
      const pid = processes.pidOf('customer');
      await workspace.api.post('/customers', { id: 'given-up' });
      processes.freeze(pid);
      expectUnavailable(await workspace.api.patch('/customers/given-up', { firstName: 'Late' }));
      processes.thaw(pid);
      const { body } = await eventually(async () => {
        const answer = await workspace.api.get<{ firstName: string }>('/customers/given-up');
        expect(answer.status).toBe(200);
        return answer;
      });
      expect(body.data.firstName).toBe('');
      await conversationsContinue();
    });

    test('NATS can be killed and stay unavailable: calls continue, and services start without it', async () => {
      await processes.end('nats', 'SIGKILL');
      const pid = processes.pidOf('nats');
      processes.freeze(pid);
      await Promise.all([processes.end('interaction', 'SIGKILL'), processes.end('webhook', 'SIGKILL')]);
      await conversationsContinue();
      processes.thaw(pid);
      const { interactionId } = conversations.completed.at(-1) ?? { interactionId: '' };
      await eventually(() => expect(delivered()).toContain(interactionId));
    });

    function delivered(): string[] {
      return receiver.requests.map(
        ({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id,
      );
    }

    describe('after the conversations', () => {
      beforeAll(() => conversations.stop());

      test('every rejection was a 503 or 504 in its envelope and in time, except those of the dead gateway', () => {
        expect(conversations.refusals.length).toBeGreaterThan(0);
        for (const { call, answer } of conversations.refusals) {
          if (!answer) continue;
          const { status, retryAfter, body } = answer;
          expect([503, 504], `${call}: ${JSON.stringify(body)}`).toContain(status);
          expect(body).toMatchObject({ success: false, code: status, data: null, meta: null });
          expect(retryAfter !== null).toBe(status === 503);
        }
        expect(conversations.slowestMs()).toBeLessThan(callMsMax);
      });

      test('posted objects exist once and complete, and totals match the rows', async () => {
        const interactions = await listAll<Interaction>('/interactions');
        expect(interactions.total).toBe(interactions.rows.length);
        const customers = await listAll<{ id: string; firstName: string }>('/customers');
        expect(customers.total).toBe(customers.rows.length);
        for (const { customerId, firstName, interactionId } of conversations.completed) {
          const theirs = interactions.rows.filter((row) => row.customerId === customerId);
          expect(theirs).toMatchObject([{ id: interactionId, status: 'Completed' }]);
          expect(customers.rows.filter(({ id }) => id === customerId)).toMatchObject([{ firstName }]);
        }
      });

      test('every completed interaction was delivered at least once, always with the same bytes', async () => {
        const completed = (await listAll<Interaction>('/interactions')).rows.filter(
          ({ status }) => status === 'Completed',
        );
        expect(completed.length).toBeGreaterThan(30);
        const ids = completed.map(({ id }) => id).toSorted();
        await eventually(() => expect([...new Set(delivered())].toSorted()).toEqual(ids));

        const bodies = Map.groupBy(receiver.requests, ({ headers }) => String(headers['webhook-id']));
        expect(bodies.size).toBe(ids.length);
        const data = new Map(completed.map((row) => [row.id, row.data]));
        for (const [id, requests] of bodies) {
          const contents = new Set(requests.map(({ body }) => body.toString()));
          expect(contents.size, id).toBe(1);
          const [body = ''] = contents;
          expect(body).toBe(data.get((JSON.parse(body) as { interaction_id: string }).interaction_id));
        }
      });
    });
  });

  describe('a stopping service', () => {
    const tables = {
      // Not its keys: they are known to the gateway, or asked for once by all.
      identity: ['identity', 'identity.workspace'],
      customer: ['customer', 'customer.customer'],
      interaction: ['interaction', 'interaction.interaction'],
      webhook: ['webhook', 'webhook.webhook'],
      insight: ['insight', 'insight.figure'],
      // Its database statement waits for another one.
      gateway: ['customer', 'customer.customer'],
    };
    /** How often processes of that name have started to stop, by their log. */
    async function timesStopped(name: string): Promise<number> {
      const log = await readFile(join(system.dataDir, 'logs', `${name}.log`), 'utf8');
      return log.split('"msg":"stopping"').length - 1;
    }

    const pathOf = (name: string): string =>
      ({
        identity: '',
        interaction: '/interactions',
        webhook: '/webhooks',
        insight: `/bots/${botId}/insight`,
      })[name] ?? '/customers';

    test.each(Object.entries(tables))(
      'finishes the calls in flight and exits cleanly: %s',
      async (name, [owner = '', table = '']) => {
        await isReady();
        await using admin = await adminSession();
        const lock = await lockTable(table);
        const calls: Promise<Answer<unknown>>[] = [];
        // As many as there are connections for small reads: others wait behind these. Of scans, a workspace has one.
        const inFlight = name === 'insight' ? 1 : 2;
        while (calls.length < inFlight) {
          calls.push(workspace.api.get(pathOf(name)));
          await untilWaiting(admin, owner, calls.length);
        }
        const stops = await timesStopped(name);
        const pid = processes.pidOf(name);
        process.kill(pid, 'SIGTERM');
        await eventually(async () => expect(await timesStopped(name)).toBe(stops + 1));
        await lock[Symbol.asyncDispose]();
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        expect(statuses).toEqual(calls.map(() => 200));
        await eventually(() => expect(processes.pidOf(name)).not.toBe(pid));
        expect(shown).toContainEqual(expect.stringContaining(`${name} (process ${pid}) ended: exit code 0`));
      },
    );

    test.each(['gateway', 'interaction'])(
      'answers a long poll with the unchanged conversation: %s',
      async (name) => {
        await isReady();
        const wanted = { customerId: `polls ${name}`, botId, status: 'Pending' };
        const { id } = (await workspace.api.post<Interaction>('/interactions', wanted)).body.data;
        const browser = await openBrowser(baseUrl, workspace, wanted.customerId);
        const { seq } = await browser.start(id);
        await using admin = await adminSession();
        const [clock] = await admin.query<{ now: Date }>('select now()');
        const poll = browser.api.get<{ seq: number; status: string }>(
          `/conversations/${id}?after=${seq}&wait=25`,
        );
        await eventually(async () => {
          const asked = `select 1 from pg_stat_activity where query like '%unnest%as known%' and pid <> pg_backend_pid()
        and usename = 'parley_interaction' and query_start > $1`;
          expect(await admin.query(asked, [clock?.now])).not.toEqual([]);
        });
        process.kill(processes.pidOf(name), 'SIGTERM');
        const { status, body } = await inTime(poll);
        expect([status, body.data.status, body.data.seq]).toEqual([200, 'InProgress', seq]);
      },
    );
  });
}
