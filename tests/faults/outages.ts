import { databaseServices, serviceNames } from '@parley/contracts/services';
import { type Answer, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Processes } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { type SteadyConversations, startSteadyConversations } from './steady-conversations.ts';
import { callMsMax, type Faulty, inTime, isReady, lockTable, readiness } from './system.ts';

const stack = new AsyncDisposableStack();
let system: System;
let processes: Processes;
let baseUrl: string;
let workspace: TestWorkspace;
let receiver: Receiver;
let botId: string;

async function setUp(faulty: Faulty): Promise<void> {
  ({ system, processes } = faulty);
  baseUrl = system.local().baseUrl;
  workspace = await createWorkspace(baseUrl, system.operator);
  receiver = stack.use(await startReceiver());
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
  botId = await workspace.publish(npsBot);
}

/** A rejection during an outage: in time, and in the form of the contract. */
function expectUnavailable({ status, headers, body }: Answer<unknown>): void {
  expect(body).toMatchObject({ success: false, code: status, data: null, meta: null });
  expect([503, 504]).toContain(status);
  if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
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
      await isReady(system);
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
      await eventually(async () => expect(await readiness(system)).toMatchObject({ code: 503, detail }));
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
      const lock = await lockTable(system, 'customer.customer');
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
      await eventually(async () => expect(await readiness(system)).toMatchObject(isNamed));
      const before = { refused: conversations.refusals.length, completed: conversations.completed.length };
      await eventually(() => expect(conversations.completed.length).toBeGreaterThan(before.completed + 3));
      expect(conversations.refusals.slice(before.refused)).toEqual([]);
      expectUnavailable(await inTime(workspace.api.get(`/bots/${botId}/insight`)));
      processes.thaw(pid);
      await isReady(system);
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
}
