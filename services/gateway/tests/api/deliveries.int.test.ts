import { AppError } from '@parley/runtime/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cursorListOf } from '../../src/http/request/cursor-list.ts';
import { known } from '../fakes/known.ts';
import { knownDeliveries } from '../fakes/deliveries.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const { deliveryId, eventId, recoveryId, nextCursor } = knownDeliveries;
const { workspaceId, webhookId } = known;
const webhook = `/v1/workspaces/${workspaceId}/webhooks/${webhookId}`;
const at = '2026-11-21T09:30:00.123000';

const delivery = {
  id: deliveryId,
  event: 'InteractionCompleted',
  interactionId: eventId,
  isTest: false,
  webhookId: recoveryId,
  webhookMessageId: eventId,
  state: 'pending',
  attempts: 2,
  lastError: 'http_500',
  isUnderWay: false,
  createdAt: at,
  dueAt: at,
  finishedAt: null,
  traceId: '0af7651916cd43dd8448eb211c80319c',
};
const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
const attempts = [
  {
    number: 1,
    isCounted: true,
    startedAt: at,
    durationMs: 48,
    latency: { dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 40 },
    status: 500,
    error: 'http_500',
    retryAfterSeconds: null,
    responseExcerpt: 'é\0\ufffd',
  },
  {
    number: 2,
    isCounted: false,
    startedAt: at,
    durationMs: 5,
    latency: none,
    status: 429,
    error: null,
    retryAfterSeconds: 7,
    responseExcerpt: null,
  },
  {
    number: 2,
    isCounted: true,
    startedAt: at,
    durationMs: 5000,
    latency: none,
    status: null,
    error: 'timeout_connect',
    retryAfterSeconds: null,
    responseExcerpt: null,
  },
];
const recovery = {
  id: recoveryId,
  state: 'running',
  recovered: 500,
  since: at,
  until: at,
  states: ['failed', 'skipped'],
  createdAt: at,
  finishedAt: null,
};
const options = {
  headerNames: ['x-api-key'],
  rateLimit: { perSecond: 0.5, burst: 3 },
  ordering: 'perCustomer',
  asymmetricSignature: true,
  publicKeys: ['whpk_x'],
};
const stats = {
  pending: 3,
  oldestDueSeconds: 0.25,
  breaker: 'open',
  pausedUntil: at,
  pauseReason: 'rate_limited',
  inactiveReason: null,
  lastSuccessAt: null,
  failingSince: at,
  disabledAt: at,
  delayedSince: at,
  delayReason: 'filter',
  waitingEvents: 7,
  hours: [{ hour: '2026-11-21T09:00:00.000000', attempts: 40, failures: 2, meanMs: 48, maxMs: 310 }],
};

const list = cursorListOf({ operationId: 'listDeliveries' }, { workspaceId, webhookId }, {});
const cursor = list.cursorOf(nextCursor);

const calls: [string, string, unknown, unknown, unknown][] = [
  ['GET', '/deliveries', undefined, [delivery], { nextCursor: cursor }],
  ['GET', `/deliveries?cursor=${cursor}`, undefined, [delivery], { nextCursor: null }],
  ['GET', `/deliveries/${deliveryId}`, undefined, delivery, null],
  ['GET', `/deliveries/${deliveryId}/attempts`, undefined, attempts, { nextCursor: null }],
  [
    'POST',
    `/deliveries/${deliveryId}/retry`,
    undefined,
    { ...delivery, dueAt: null, isUnderWay: true },
    null,
  ],
  ['POST', '/recover', { since: at }, recovery, null],
  ['GET', `/recoveries/${recoveryId}`, undefined, { ...recovery, state: 'done', finishedAt: at }, null],
  ['POST', '/test', undefined, { ...delivery, interactionId: null, isTest: true, attempts: 0 }, null],
  ['GET', '/stats', undefined, stats, null],
  ['GET', '/options', undefined, options, null],
  ['PATCH', '/options', { rateLimit: null }, { ...options, rateLimit: null }, null],
];

test.each(calls)('%s %s returns the documented data', async (method, path, body, data, meta) => {
  const { status, envelope } = await surface.call(method, webhook + path, { body });
  expect(envelope()).toMatchObject({ success: true, data, meta });
  expect(status).toBe(200);
});

const requestOf = (method: string) =>
  surface.services.seen.findLast((seen) => seen.method === method)?.request;

describe('the requests to the webhook service', () => {
  test('filters, cursor and limit, instants with a zone or as the API writes them', async () => {
    const query = new URLSearchParams({
      state: 'skipped',
      since: '2026-11-21T10:30:00.123+01:00',
      until: '2026-11-21T09:30:00.124000',
      interactionId: eventId,
      eventId,
      event: 'CustomerAnonymised',
      limit: '50',
    });
    const path = `${webhook}/deliveries?${query.toString()}`;
    const { meta } = (await surface.call('GET', path)).envelope();
    await surface.call('GET', `${path}&cursor=${(meta as { nextCursor: string }).nextCursor}`);
    expect(requestOf('listDeliveries')).toEqual({
      workspaceId,
      webhookId,
      states: ['skipped'],
      since: new Date('2026-11-21T09:30:00.123Z'),
      until: new Date('2026-11-21T09:30:00.124Z'),
      interactionId: eventId,
      eventId,
      event: 'CustomerAnonymised',
      cursor: nextCursor,
      limit: 50,
    });
    await surface.call('GET', `${webhook}/deliveries`);
    const unfiltered = {
      states: [],
      since: null,
      until: null,
      interactionId: null,
      eventId: null,
      event: null,
      limit: 20,
    };
    expect(requestOf('listDeliveries')).toMatchObject(unfiltered);
    await surface.call('GET', `${webhook}/deliveries/${deliveryId}/attempts?limit=1`);
    expect(requestOf('listAttempts')).toMatchObject({ deliveryId, cursor: '', limit: 1 });
  });

  test('a recovery covers failed and skipped deliveries until now by default', async () => {
    const since = new Date(at.replace(/000$/, 'Z'));
    await surface.call('POST', `${webhook}/recover`, { body: { since: at } });
    expect(requestOf('startRecovery')).toEqual({
      workspaceId,
      webhookId,
      since,
      until: null,
      states: ['failed', 'skipped'],
      idempotency: null,
    });
    const body = { since: at, until: '2026-11-21T09:31:00Z', states: ['skipped'] };
    await surface.call('POST', `${webhook}/recover`, { body });
    const until = new Date('2026-11-21T09:31:00Z');
    expect(requestOf('startRecovery')).toMatchObject({ since, until, states: ['skipped'] });
  });

  test('absent options stay; null removes the limit', async () => {
    const change = (body: object, headers = {}) =>
      surface.call('PATCH', `${webhook}/options`, { body, headers });
    await change({ rateLimit: null });
    const untouched = { headers: null, ordering: null, isAsymmetric: null };
    expect(requestOf('updateWebhookOptions')).toMatchObject({
      ...untouched,
      ifVersion: null,
      rateLimit: { rateLimit: null },
    });
    const rateLimit = { perSecond: 1000, burst: 1 };
    await change({ headers: { 'X-Key': 'a b' }, rateLimit, ordering: 'strict', asymmetricSignature: false });
    expect(requestOf('updateWebhookOptions')).toMatchObject({
      headers: { fields: { 'X-Key': 'a b' } },
      rateLimit: { rateLimit },
      ordering: 'strict',
      isAsymmetric: false,
    });
    await change({
      events: ['CustomerAnonymised'],
      filter: 'true',
      envelope: true,
      url: 'https://a.example/',
    });
    expect(requestOf('updateWebhookOptions')).toMatchObject({
      events: ['CustomerAnonymised'],
      filter: { filter: 'true' },
      isEnveloped: true,
      url: 'https://a.example/',
      secretToken: null,
    });
    await change({ filter: null });
    expect(requestOf('updateWebhookOptions')).toMatchObject({ events: [], filter: { filter: null } });
    await change({ headers: {} });
    expect(requestOf('updateWebhookOptions')).toMatchObject({ headers: { fields: {} }, rateLimit: null });
    const { headers } = await surface.call('GET', `${webhook}/options`);
    const changed = await change({ ordering: 'none' }, { 'if-match': headers['etag'] });
    expect([changed.status, String(changed.headers['etag']).slice(0, 3)]).toEqual([200, '"3.']);
    expect((await change({ ordering: 'none' }, { 'if-match': `"1.${'x'.repeat(22)}"` })).status).toBe(412);
  });

  test.each(['recover', 'test'])(
    'the key of a repeated %s, whose answer is marked as replay',
    async (path) => {
      const answer = await surface.call('POST', `${webhook}/${path}`, {
        headers: { 'idempotency-key': 'k' },
        ...(path === 'recover' && { body: { since: at } }),
      });
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([200, 'true']);
    },
  );
});

describe('all faults are reported at once, each with its place', () => {
  const long = 'x'.repeat(1025);
  const twentyOne = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'v']));

  test.each<[string, string[]]>(
    [
      [
        'deliveries?state=Failed&since=yesterday&until=1&cursor=%00&limit=51',
        'state since until cursor limit',
      ],
      ['deliveries?state=failed&state=skipped&cursor=&limit=0', 'state cursor limit'],
      ['deliveries?state=discarded&interactionId=msg_1&eventId=msg_1', 'state interactionId eventId'],
      [
        `deliveries?interactionId=${eventId.toUpperCase()}&eventId=${eventId.replaceAll('-', '')}&event=*&since=`,
        'interactionId eventId event since',
      ],
      ['deliveries?since=2026-11-21T09:30:00Z&until=2026-11-21T09:30:00Z', 'until'],
      ['deliveries?since=2026-02-29T00:00:00Z&until=9999-12-31T23:59:59-01:00', 'since until'],
      [`deliveries/${deliveryId}/attempts?limit=21`, 'limit'],
    ].map(([path, names]) => [path ?? '', names?.split(' ').map((name) => `/query/${name}`) ?? []]),
  )('%s', async (path, pointers) => {
    const answer = await surface.call('GET', `${webhook}/${path}`);
    expect(answer.status).toBe(400);
    expect(
      answer
        .envelope()
        .errors?.map(({ pointer }) => pointer)
        .toSorted(),
    ).toEqual(pointers.toSorted());
  });

  test('a fault explains how to encode the + of an offset', async () => {
    const details = async (query: string) =>
      (await surface.call('GET', `${webhook}/deliveries?${query}`))
        .envelope()
        .errors?.map(({ detail }) => detail);
    const form = 'Must be an instant such as 2026-11-21T09:30:00Z';
    expect(await details('since=2026-11-21T09:30:00+01:00')).toEqual([
      `${form}; in a query the + of an offset is written %2B`,
    ]);
    expect(await details('since=2026-11-21 09:30')).toEqual([form]);
  });

  test.each<[string, unknown, string[]]>([
    ['recover', undefined, ['']],
    ['recover', {}, ['/since']],
    ['recover', { since: 1, until: 'x', states: [], x: 1 }, ['/since', '/states', '/until', '/x']],
    ['recover', { since: at, states: ['pending', 'failed'] }, ['/states/0']],
    ['recover', { since: at, states: ['failed', 'failed'] }, ['/states']],
    ['recover', { since: at, until: at }, ['/until']],
    ['options', {}, ['']],
    [
      'options',
      { headers: null, ordering: 'fifo', asymmetricSignature: 1, x: 1 },
      ['/asymmetricSignature', '/headers', '/ordering', '/x'],
    ],
    [
      'options',
      { rateLimit: { perSecond: 0, burst: 0.5, x: 1 } },
      ['/rateLimit/burst', '/rateLimit/perSecond', '/rateLimit/x'],
    ],
    [
      'options',
      { rateLimit: { perSecond: 1001, burst: 1001 } },
      ['/rateLimit/burst', '/rateLimit/perSecond'],
    ],
    ['options', { rateLimit: { perSecond: 1 } }, ['/rateLimit/burst']],
    [
      'options',
      { headers: { 'a b': 'v', '': 'v', 'x-1': 'é', 'x-3': long, 'x-4': 1, ok: 'v' } },
      ['/headers/', '/headers/a b', '/headers/x-1', '/headers/x-3', '/headers/x-4'],
    ],
    ['options', { headers: { 'X-A': 'v', 'x-a': 'w' } }, ['/headers/x-a']],
    ['options', { headers: twentyOne }, ['/headers']],
    ['options', { events: [], filter: '', envelope: null }, ['/envelope', '/events', '/filter']],
    [
      'options',
      { events: ['Test'], filter: 'x'.repeat(1_001), url: 'ftp://a' },
      ['/events/0', '/filter', '/url'],
    ],
    ['options', { events: ['CustomerAnonymised', 'CustomerAnonymised'] }, ['/events']],
  ])('%s with %j', async (path, body, pointers) => {
    const answer = await surface.call(path === 'recover' ? 'POST' : 'PATCH', `${webhook}/${path}`, { body });
    expect(answer.status).toBe(400);
    const found = answer.envelope().errors?.map(({ pointer }) => pointer);
    expect([...new Set(found)].toSorted()).toEqual(pointers);
  });

  test('but at most a hundred, and only the length of a list or record that is too long', async () => {
    const pointersOf = async (method: string, path: string, body: unknown) => {
      const answer = await surface.call(method, `${webhook}/${path}`, { body });
      expect(answer.status).toBe(400);
      return answer.envelope().errors?.map(({ pointer }) => pointer);
    };
    const many = <Value>(value: (n: number) => Value) => Array.from({ length: 9_000 }, (_, n) => value(n));
    expect(await pointersOf('POST', 'recover', { since: at, states: many(() => 1) })).toEqual(['/states']);
    const alike = Object.fromEntries(many((n) => [`${n % 2 === 0 ? 'x' : 'X'}${n >> 1}`, '']));
    expect(await pointersOf('PATCH', 'options', { headers: alike })).toEqual(['/headers']);
    const wrong = Object.fromEntries(many((n) => [`x${n}`, 1]));
    expect(await pointersOf('PATCH', 'options', { headers: wrong })).toEqual(['/headers']);
    expect(await pointersOf('PATCH', 'options', wrong)).toHaveLength(100);
  });
});

test.each(['webhook-inactive', 'delivery-under-way', 'event-expired'])(
  'a rejection of the webhook service as %s is 409',
  async (type) => {
    surface.services.before.set('retryDelivery', () => {
      throw new AppError('failed_precondition', type, 'No');
    });
    const answer = await surface.call('POST', `${webhook}/deliveries/${deliveryId}/retry`);
    surface.services.before.delete('retryDelivery');
    expect(answer.envelope()).toMatchObject({ code: 409, type, detail: 'No' });
  },
);

test.each(['x', deliveryId.toUpperCase(), '..%2f'])('the malformed id %s is 404', async (id) => {
  for (const path of [`deliveries/${id}`, `deliveries/${id}/attempts`, `recoveries/${id}`]) {
    expect((await surface.call('GET', `${webhook}/${path}`)).envelope()).toMatchObject({ type: 'not-found' });
  }
});
