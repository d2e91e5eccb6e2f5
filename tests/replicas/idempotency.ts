import { setTimeout } from 'node:timers/promises';
import { type Answer, api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { longForm } from '@parley/testing/long-form';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Processes } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Replicated } from './system.ts';

// Replicas start and stop.

const rounds = longForm(1);

const stack = new AsyncDisposableStack();
let system: System;
let processes: Processes;
let sql: SqlConnection;
let workspace: TestWorkspace;
let botId: string;
let made = 0;

async function setUp(replicated: Replicated): Promise<void> {
  ({ system, processes } = replicated);
  sql = stack.use(await openSqlConnection(system.local().postgresUrl));
  workspace = await eventually(() => createWorkspace(system.local().baseUrl, system.operator));
  botId = await workspace.publish(npsBot);
}

interface Creation {
  path: string;
  /** A new body each time. */
  body(): object;
  /** The ids of all created objects. */
  ids(): Promise<string[]>;
}

async function idsOf(things: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of things) ids.push(id);
  return ids;
}

const list = async (path: string): Promise<{ id: string }[]> =>
  (await workspace.api.get<{ id: string }[]>(path)).body.data;

const creations: Record<string, Creation> = {
  customers: {
    path: '/customers',
    body: () => ({ id: `c${(made += 1)}`, firstName: 'A' }),
    ids: () => idsOf(workspace.client.customers.list({ pageSize: 50 })),
  },
  interactions: {
    path: '/interactions',
    body: () => ({ customerId: 'c', botId, expiry: (made += 1) }),
    ids: () => idsOf(workspace.client.interactions.list({ pageSize: 50 })),
  },
  bots: {
    path: '/bots',
    body: () => ({ ...(npsBot as object), key: `bot-${(made += 1)}` }),
    ids: async () => (await list('/bots')).map(({ id }) => id),
  },
  webhooks: {
    path: '/webhooks',
    body: () => ({ url: 'http://127.0.0.1:9/', secretToken: `s${(made += 1)}` }),
    ids: async () => (await list('/webhooks')).map(({ id }) => id),
  },
};

type Made = Answer<{ id: string }>;

/** Repeats a call that a busy system has not answered in time, as every client does with its key. */
async function post(gateway: string, path: string, body: object, key: string): Promise<Made> {
  const client = api(
    `${gateway}/v1/workspaces/${workspace.id}`,
    basic(workspace.apiKey, workspace.apiSecret),
  );
  const answer = await client.post<{ id: string }>(path, body, { 'idempotency-key': key });
  return answer.status === 503 || answer.status === 504 ? post(gateway, path, body, key) : answer;
}

const gatewayOf = (index: number): string => system.local().gateways[index % 2] ?? '';

export function idempotencyTests(replicated: () => Replicated): void {
  beforeAll(() => setUp(replicated()));
  afterAll(() => stack.disposeAsync());

  describe.each(Object.entries(creations))('%s', (name, { path, body, ids }) => {
    test('20 concurrent equal calls over two gateways create one object and get equal answers', async () => {
      const before = await ids();
      const wanted = body();
      const key = `twins of ${name} ${(made += 1)}`;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => post(gatewayOf(index), path, wanted, key)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      // None if the first answer did not arrive in time.
      const firsts = answers.filter(({ headers }) => headers.get('idempotency-replayed') === null);
      expect(firsts.length).toBeLessThanOrEqual(1);
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
      expect(await ids()).toHaveLength(before.length + 1);
    });

    test('20 concurrent calls with one key and two bodies create one object', async () => {
      const before = await ids();
      const bodies = [body(), body()];
      const key = `rivals of ${name} ${(made += 1)}`;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          post(gatewayOf(index >> 1), path, bodies[index % 2] ?? {}, key),
        ),
      );
      const outcomes = bodies.map((_, which) =>
        Array.from(new Set(answers.filter((_answer, at) => at % 2 === which).map(({ status }) => status))),
      );
      expect(outcomes).toEqual(expect.arrayContaining([[200], [422]]));
      expect(await ids()).toHaveLength(before.length + 1);
    });
  });

  /** Waits until every service answers over both gateways, from every replica. */
  async function allServe(): Promise<void> {
    const calls = Array.from({ length: 8 }, (_, index) =>
      ['/customers', '/interactions', '/webhooks'].map(async (path) => {
        const headers = { authorization: basic(workspace.apiKey, workspace.apiSecret) };
        const url = `${gatewayOf(index)}/v1/workspaces/${workspace.id}${path}`;
        return (await fetch(url, { headers })).status;
      }),
    );
    expect(new Set(await Promise.all(calls.flat()))).toEqual(new Set([200]));
  }

  const schemas = { customers: 'customer', interactions: 'interaction', webhooks: 'webhook' };

  async function countRecords(kind: keyof typeof schemas): Promise<number> {
    const counting = `select count(*)::int as n from ${schemas[kind]}.idempotency_record`;
    return (await sql.query<{ n: number }>(counting))[0]?.n ?? 0;
  }

  describe('a process is killed during calls', () => {
    const killed = [
      ['customers', 'customer'],
      ['interactions', 'interaction'],
      ['webhooks', 'webhook'],
      ['customers', 'gateway'],
      ['interactions', 'customer'],
    ] as const;

    test.each(killed)(
      '%s: each is created once when a replica of %s dies, and its answer stays',
      async (kind, service) => {
        const { path, body, ids } = creations[kind] as Creation;
        for (let round = 0; round < rounds; round += 1) {
          await eventually(allServe);
          const before = new Set(await ids());
          const recordsBefore = await countRecords(kind);
          const calls = Array.from({ length: 12 }, (_, index) => {
            const wanted = body();
            const key = `${kind} ${service} ${round} ${index}`;
            return () => post(gatewayOf(index), path, wanted, key).catch(() => undefined);
          });
          // Each in another stage, after this many committed effects; the answers of some are still in flight.
          const first = calls.map(async (call) => {
            await setTimeout(Math.random() * 60);
            return call();
          });
          const enough = Math.ceil(Math.random() * (calls.length - 1));
          await eventually(
            async () => expect(await countRecords(kind)).toBeGreaterThanOrEqual(recordsBefore + enough),
            { everyMs: 0 },
          );
          await processes.end(`${service}-${1 + (round % 2)}`, 'SIGKILL');
          const answers = await Promise.all(first);
          const replays = await Promise.all(
            calls.map((call) =>
              eventually(async () => {
                const answer = await call();
                expect(answer?.status).toBe(200);
                return answer;
              }),
            ),
          );
          for (const [index, answer] of answers.entries()) {
            if (answer?.status === 200) expect(replays[index]?.body).toEqual(answer.body);
            else expect([undefined, 503, 504]).toContain(answer?.status);
          }
          const idsMade = (await ids()).filter((id) => !before.has(id));
          expect(idsMade).toHaveLength(calls.length);
          expect(new Set(idsMade)).toEqual(new Set(replays.map((replay) => replay?.body.data.id)));
        }
      },
    );
  });
}
