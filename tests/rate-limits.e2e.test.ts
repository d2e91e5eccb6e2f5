import { setTimeout } from 'node:timers/promises';
import { createClient } from '@parley/client';
import { type Answer, createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import type { System } from '@parley/local/system';
import { startTestSystem } from '@parley/testing/system';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { mintToken, type SdkSecret } from './customer-token.ts';
import { processesOf } from './processes.ts';
import { openLink, openSession } from './public-sessions.ts';
import { npsBot } from './sample-bots.ts';
import { openBrowser } from './conversation.ts';

// Contract, sections 1 and 2: limits of calls, and the client against them and a failing gateway.

const stack = new AsyncDisposableStack();
let system: System;
let baseUrl: string;

beforeAll(async () => {
  const env = {
    RATE_LIMIT_PER_SECOND: '2',
    RATE_LIMIT_BURST: '10',
    RATE_LIMIT_PENDING_PER_MINUTE: '30',
    RATE_LIMIT_SESSIONS_PER_MINUTE: '30',
    AUTH_FAILURES_PER_MINUTE: '30',
  };
  system = stack.use(await startTestSystem({ restartable: true, env }));
  baseUrl = system.local().baseUrl;
});
afterAll(() => stack.disposeAsync());

const newWorkspace = () => createWorkspace(baseUrl, system.operator);

/** Makes calls until one is rejected. */
async function refusedOne(call: () => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    const refused = answers.find(({ status }) => status === 429);
    if (refused) return refused;
  }
}

async function waitAsTold({ headers }: Answer<unknown>): Promise<void> {
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(2);
  // The tests are about periods, so they take this long.
  await setTimeout(seconds * 1000);
}

describe('a key', () => {
  test('without calls left does not affect other keys', async () => {
    const [greedy, modest] = [await newWorkspace(), await newWorkspace()];
    const refused = await refusedOne(() => greedy.api.get(''));
    expect(refused.body).toMatchObject({ code: 429, type: 'rate-limited', data: null });
    const { status, headers } = await modest.api.get('');
    expect([status, headers.get('ratelimit')]).toEqual([200, '"key";r=9;t=1']);
    expect(headers.get('ratelimit-policy')).toBe('"key";q=10;w=5');
  });

  test('is accepted again after each Retry-After', async () => {
    const { api } = await newWorkspace();
    for (let round = 0; round < 3; round += 1) {
      await waitAsTold(await refusedOne(() => api.get('')));
      expect((await api.get('')).status).toBe(200);
    }
  });

  test('may make as many calls as its last answer stated', async () => {
    const { api } = await newWorkspace();
    const left = Number(/;r=(\d+)/.exec((await api.get('')).headers.get('ratelimit') ?? '')?.[1]);
    expect(left).toBe(9);
    const answers = await Promise.all(Array.from({ length: left }, () => api.get('')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test('a session is accepted again after its Retry-After', async () => {
  const workspace = await newWorkspace();
  const botId = await workspace.publish(npsBot);
  await workspace.api.post('/interactions', { customerId: 'c', botId, status: 'Pending' });
  const browser = await openBrowser(baseUrl, workspace, 'c');
  const refused = await refusedOne(() => browser.api.get('/pending'));
  expect(refused.body).toMatchObject({ code: 429, type: 'rate-limited', data: null });
  await waitAsTold(refused);
  expect((await browser.api.get('/pending')).status).toBe(200);
});

test('a customer with too many sessions does not block others at the same address', async () => {
  const workspace = await newWorkspace();
  const sdk = (await workspace.api.post<SdkSecret>('/sdk-secret/rotate')).body.data;
  const begin = (customer: string) =>
    openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, customer));
  const refused = await refusedOne(() => begin('greedy'));
  expect(refused.body).toMatchObject({ code: 429, type: 'rate-limited', data: null });
  expect(refused.headers.get('ratelimit-policy')).toBe('"sessions";q=30;w=60');
  const others = await Promise.all(Array.from({ length: 60 }, (_, index) => begin(`modest ${index}`)));
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  await waitAsTold(refused);
  expect((await begin('greedy')).status).toBe(200);
});

test('nor do made-up tokens and links', async () => {
  const workspace = await newWorkspace();
  const sdk = (await workspace.api.post<SdkSecret>('/sdk-secret/rotate')).body.data;
  const forged = await refusedOne(() => openSession(baseUrl, workspace.id, mintToken(sdk, 'other', 'c')));
  expect(forged.body).toMatchObject({ code: 429, type: 'too-many-failures', data: null });
  const guessed = await refusedOne(() => openLink(baseUrl, 'guessed'));
  expect(guessed.body).toMatchObject({ code: 429, type: 'too-many-failures', data: null });
  expect((await openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, 'c'))).status).toBe(200);
});

test('a local run has ten times the limits of a deployment, a hundred times for browsers, and documents them', () => {
  expect(inject('openapi')['x-limits']).toMatchObject({
    callsPerSecond: 2000,
    callsBurst: 4000,
    sessionsPerMinute: 6000,
    pendingPerMinute: 1200,
    conversationCallsPerMinute: 12_000,
    messagesPerMinute: 3000,
    workspaceLookupsPerMinute: 60_000,
    authFailuresPerMinute: 1000,
  });
});

/** A workspace, its calls by a patient client, and the number of sent requests. */
async function createPatientWorkspace(retries: number) {
  const workspace = await newWorkspace();
  const { id, apiKey, apiSecret } = workspace;
  const sent = { requests: 0, answers: 0 };
  const client = createClient({
    baseUrl,
    apiKey,
    apiSecret,
    retries,
    fetch: async (url, init) => {
      sent.requests += 1;
      const response = await fetch(url, init);
      sent.answers += 1;
      return response;
    },
  });
  return { ...client.workspace(id), workspace, sent };
}

describe('the client', () => {
  test('a gateway that is killed during creations only costs time: each object is created once', async () => {
    const clients = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = await createPatientWorkspace(20);
        return { ...client, botId: await client.workspace.publish(npsBot) };
      }),
    );
    const eachMakes = 8;
    const makeAll = clients.map(async ({ interactions, botId }) => {
      const ids: string[] = [];
      // Two at a time, so some are always in flight.
      const makeHalf = async (): Promise<void> => {
        for (let count = 0; count < eachMakes / 2; count += 1) {
          ids.push((await interactions.create({ customerId: 'c', botId })).id);
        }
      };
      await Promise.all([makeHalf(), makeHalf()]);
      return ids;
    });
    await eventually(() => expect(clients.some(({ sent }) => sent.answers > 2)).toBe(true), { everyMs: 1 });
    await processesOf(system).end('gateway', 'SIGKILL');
    const made = await Promise.all(makeAll);

    // Some had no answer, and were retried.
    expect(clients.some(({ sent }) => sent.requests > sent.answers)).toBe(true);
    for (const [index, { interactions }] of clients.entries()) {
      const kept: string[] = [];
      for await (const { id } of interactions.list()) kept.push(id);
      expect(kept).toHaveLength(eachMakes);
      expect(kept.toSorted()).toEqual(made[index]?.toSorted());
    }
  });

  test('calls beyond the rate of a key all succeed, each after its Retry-After', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const patient = await createPatientWorkspace(20);
    await Promise.all(ids.map((id) => patient.customers.create({ id })));
    expect(patient.sent.requests).toBeGreaterThan(ids.length);
    expect((await patient.customers.list()).meta.totalResults).toBe(ids.length);

    const hasty = await createPatientWorkspace(0);
    const outcomes = await Promise.allSettled(ids.map((id) => hasty.customers.get(id)));
    const reasons: unknown[] = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    expect(reasons).toContainEqual(
      expect.objectContaining({ status: 429, type: 'rate-limited', retryAfterSeconds: 1 }),
    );
  });
});
