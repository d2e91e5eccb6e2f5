import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import fc from 'fast-check';
import { beforeAll, expect, inject, test } from 'vitest';
import { sendHttp } from './http-request.ts';
import { npsBot } from './sample-bots.ts';
import { messageTo, openBrowser } from './conversation.ts';

// Contract, section 1: every request gets the envelope, and a client's fault is never a 5xx.

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let botId: string;
let interactionId: string;
let webhookId: string;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
  await workspace.api.post('/customers', { id: 'c' });
  const one = await workspace.api.post<{ id: string }>('/interactions', {
    customerId: 'c',
    botId,
    status: 'Pending',
  });
  interactionId = one.body.data.id;
  const hook = await workspace.api.post<{ id: string }>('/webhooks', {
    url: 'http://127.0.0.1:9/',
    secretToken: 's',
  });
  webhookId = hook.body.data.id;
});

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '..',
    '%00',
    "'",
    '😀'.repeat(256),
    'x'.repeat(3000),
    '1e999',
    '-0',
    'null',
  ),
);
const oddNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, -1, 1e-9, 1e15, 2 ** 31, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE, 315_360_000),
);
const oddValue = fc.oneof(
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.record({ key: oddText, value: oddText }), { maxLength: 4 }),
);
const fields = {
  id: oddValue,
  firstName: oddValue,
  lastName: oddValue,
  email: oddValue,
  customerId: fc.oneof(oddValue, fc.constant('c')),
  botId: oddValue,
  status: fc.oneof(oddValue, fc.constantFrom('Draft', 'Pending', 'InProgress', 'Completed', 'Expired')),
  priority: fc.oneof(oddValue, fc.constantFrom('Low', 'Medium', 'High')),
  expiry: fc.oneof(oddNumber, oddValue),
  context: oddValue,
  url: oddValue,
  secretToken: oddValue,
  isActive: oddValue,
  overlapSeconds: oddValue,
};
const bodyWith = (names: readonly (keyof typeof fields)[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, fields[name]])), { requiredKeys: [] });

const calls: [string, () => string, readonly (keyof typeof fields)[]][] = [
  ['POST', () => '/customers', ['id', 'firstName', 'lastName', 'email']],
  ['PATCH', () => '/customers/c', ['firstName', 'lastName', 'email']],
  ['POST', () => '/interactions', ['customerId', 'status', 'priority', 'expiry', 'context']],
  ['PATCH', () => `/interactions/${interactionId}`, ['status', 'priority', 'expiry']],
  ['POST', () => '/webhooks', ['url', 'secretToken', 'isActive']],
  ['PATCH', () => `/webhooks/${webhookId}`, ['isActive']],
  ['POST', () => `/webhooks/${webhookId}/secret/rotate`, ['overlapSeconds']],
];

/** Expects a known answer in the envelope, and no 5xx; `more` are additional allowed statuses. */
function expectKnown(status: number, text: string, more: readonly number[] = []): void {
  expect([200, 400, 404, 405, 409, 410, 412, 415, 422, ...more], text).toContain(status);
  const envelope = JSON.parse(text) as { code: number; success: boolean };
  expect([envelope.code, envelope.success]).toEqual([status, status === 200]);
}

const settings = { numRuns: 150 };

test.each(calls)('%s with odd values in the known fields is never a 5xx', async (method, path, names) => {
  await fc.assert(
    fc.asyncProperty(bodyWith(names), async (odd) => {
      const body = names.includes('customerId') ? { botId, customerId: 'c', ...odd } : odd;
      const { status, body: envelope } = await workspace.api.call(method, path(), { body });
      expectKnown(status, JSON.stringify(envelope));
    }),
    settings,
  );
});

test('odd definitions of bots are never a 5xx', async () => {
  const good = npsBot as Record<string, unknown>;
  const names = Object.keys(good);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), oddValue, fc.nat(6), async (name, value, index) => {
      const steps = (good['steps'] as Record<string, unknown>[]).map((step, at) =>
        at === index ? { ...step, [Object.keys(step)[index % 4] ?? 'text']: value } : step,
      );
      for (const definition of [
        { ...good, [name]: value },
        { ...good, steps },
      ]) {
        const { status, body } = await workspace.api.post('/bots', definition);
        expectKnown(status, JSON.stringify(body));
      }
    }),
    settings,
  );
});

test('odd answers in a conversation are never a 5xx', async () => {
  const browser = await openBrowser(baseUrl, workspace, 'c');
  const { body } = await workspace.api.post<{ id: string }>('/interactions', {
    customerId: 'c',
    botId,
    status: 'Pending',
  });
  const { id } = body.data;
  let snapshot = await browser.start(id);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.record({ value: oddValue }), fc.record({ text: oddValue }), oddValue),
      oddValue,
      async (answer, odd) => {
        const good = { ...messageTo(snapshot, answer), stepId: snapshot.input?.stepId ?? 'score' };
        for (const message of [
          good,
          { ...good, clientMessageId: odd },
          { ...good, stepId: odd },
          { ...good, expectedSeq: odd },
        ]) {
          const taken = await browser.send(id, message);
          expectKnown(taken.status, JSON.stringify(taken.body));
          if (taken.status === 200) snapshot = taken.body.data;
        }
      },
    ),
    settings,
  );
});

test('odd paths and queries are never a 5xx', async () => {
  const authorization = `Basic ${Buffer.from(`${workspace.apiKey}:${workspace.apiSecret}`).toString('base64')}`;
  const segment = fc.oneof(
    oddText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.stringMatching(/^[!-~]{0,20}$/).map((text) => text.replaceAll(/[?#]/g, '')),
  );
  const places = ['customers', 'interactions', 'bots', 'webhooks'];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.array(segment, { maxLength: 2 }),
      fc.array(
        fc.tuple(
          fc.constantFrom('page', 'pageSize', 'status', 'priority', 'customerId', 'botId', 'x'),
          segment,
        ),
      ),
      async (place, segments, query) => {
        const path = [`/v1/workspaces/${workspace.id}/${place}`, ...segments].join('/');
        const search = query.map(([name, value]) => `${name}=${value}`).join('&');
        const { status, text } = await sendHttp(baseUrl, {
          path: `${path}?${search}`,
          headers: { authorization },
        });
        // Many long values can exceed the limit of a request's head.
        expectKnown(status, text, [431]);
      },
    ),
    { numRuns: 300 },
  );
});

test('a hundred concurrent calls on the same objects each succeed or fail cleanly, and the totals match', async () => {
  const own = await createWorkspace(baseUrl, inject('operator'));
  const bot = await own.publish(npsBot);
  const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'];
  const create = (index: number) =>
    own.api.post<{ id: string }>(
      '/interactions',
      { customerId: `c${index % 3}`, botId: bot, status: 'Pending', priority: 'Low' },
      index % 2 ? { 'idempotency-key': `key-${index % 20}-${index % 3}` } : {},
    );
  const made = await Promise.all(Array.from({ length: 60 }, (_, index) => create(index)));
  const ids = [...new Set(made.map(({ body }) => body.data.id))];
  const changes = Array.from({ length: 100 }, (_, index) =>
    own.api.patch(`/interactions/${ids[index % 7]}`, {
      status: statuses[index % 5],
      priority: ['Low', 'Medium', 'High'][index % 3],
      ...(index % 4 === 0 && { expiry: 1000 }),
    }),
  );
  const more = Array.from({ length: 20 }, (_, index) => create(index * 2));
  const reads = Array.from({ length: 20 }, (_, index) => own.api.get(`/customers/c${index % 3}`));
  const lists = Array.from({ length: 10 }, () => own.api.get('/interactions?pageSize=50'));
  for (const { status } of await Promise.all([...changes, ...more, ...reads, ...lists])) {
    expect([200, 409]).toContain(status);
  }
  const totalOf = async (query: string) =>
    (await own.api.get(`/interactions?pageSize=1${query}`)).body.meta?.totalResults ?? 0;
  const total = await totalOf('');
  const byStatus = await Promise.all(statuses.map((status) => totalOf(`&status=${status}`)));
  const byPriority = await Promise.all(
    ['Low', 'Medium', 'High'].map((priority) => totalOf(`&priority=${priority}`)),
  );
  const byCustomer = await Promise.all(['c0', 'c1', 'c2'].map((id) => totalOf(`&customerId=${id}`)));
  const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);
  expect(total).toBe(ids.length + 20);
  expect([sum(byStatus), sum(byPriority), sum(byCustomer)]).toEqual([total, total, total]);
  expect((await own.api.get('/customers')).body.meta?.totalResults).toBe(3);
});
