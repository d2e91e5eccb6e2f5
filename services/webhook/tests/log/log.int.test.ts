import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim } from '../../src/dispatch/due-store.ts';
import { listDeliveries } from '../../src/log/log-store.ts';
import { deleteWebhook } from '../../src/webhooks/store.ts';
import { addFinished, call, type Controls, listAll, of, startControls } from '../controls.ts';
import {
  addEvents,
  addHook,
  due,
  type Hook,
  type Owner,
  ownAll,
  pauseFor,
  type Read,
  recordAll,
  refused,
  result,
  retryIn,
} from '../lanes/lanes.ts';

// The API's answers about deliveries.

let controls: Controls;
let owner: Owner;
beforeAll(async () => {
  controls = await startControls();
  owner = await ownAll(controls.db);
});
afterAll(() => controls[Symbol.asyncDispose]());

const failed = { next: { state: 'failed', isGone: false } } as const;

/** The only due delivery. */
async function dueOne(hook: Hook): Promise<Read> {
  const [delivery] = await due(controls.db, [hook]);
  if (!delivery) throw new Error('nothing was due');
  return delivery;
}

test('a list has every delivery once, newest first, for every state and page size', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const old = [
    ...(await addFinished(session, hook, { number: 3, state: 'skipped', ago: '9 days' })),
    ...(await addFinished(session, hook, { number: 3, state: 'failed', ago: '2 days' })),
  ];
  await addEvents(db, hook, 12);
  const read = await due(db, [hook]);
  await recordAll(db, owner, read.slice(0, 3));
  await recordAll(db, owner, read.slice(3, 6), refused, failed);
  await recordAll(db, owner, read.slice(6, 9), refused);
  const all = [...old, ...read.map((delivery) => delivery.id)].toSorted().toReversed();
  for (const limit of [1, 5, 17, 18, 50]) {
    expect((await listAll(controls, hook, { limit })).map(({ id }) => id)).toEqual(all);
  }
});

test('a delivery shows whether it waits, is in flight or is finished, and when', async () => {
  const { db, client } = controls;
  const hook = await addHook(db);
  const events = await addEvents(db, hook, 4);
  const [succeeds, fails, waits, lasts] = await due(db, [hook]);
  if (!succeeds || !fails || !waits || !lasts) throw new Error('too little was due');
  await recordAll(db, owner, [succeeds]);
  await recordAll(db, owner, [fails], refused, failed);
  await recordAll(db, owner, [waits], refused);
  await claim(db, owner.replicaId, [lasts]);
  const read = async (id: string) => client.getDelivery({ ...of(hook), id }, call);
  const common = {
    isTest: false,
    isTestInteraction: null,
    createdAt: expect.any(Date),
    isUnderWay: false,
    dueAt: null,
    finishedAt: null,
  };
  expect(await read(succeeds.id)).toEqual({
    ...common,
    id: succeeds.id,
    eventId: succeeds.eventId,
    event: 'InteractionCompleted',
    interactionId: expect.any(String),
    state: 'succeeded',
    attempts: 1,
    finishedAt: expect.any(Date),
    traceId: null,
    webhookId: hook.id,
    lastError: null,
  });
  expect(await read(fails.id)).toMatchObject({
    ...common,
    state: 'failed',
    attempts: 1,
    lastError: 'http_500',
    finishedAt: expect.any(Date),
  });
  const waiting = await read(waits.id);
  expect(waiting).toMatchObject({
    ...common,
    state: 'pending',
    attempts: 1,
    dueAt: expect.any(Date),
    lastError: 'http_500',
  });
  expect(waiting.dueAt?.getTime()).toBeGreaterThan(Date.now());
  const lasting = await read(lasts.id);
  expect(lasting).toMatchObject({
    ...common,
    state: 'pending',
    attempts: 0,
    isUnderWay: true,
    lastError: null,
  });
  expect(events).toContain(lasting.eventId);
  for (const id of [succeeds.id, fails.id, waits.id, lasts.id]) {
    expect(await listAll(controls, hook)).toContainEqual(await read(id));
  }
});

test('a list has exactly the deliveries of the requested kind of event, on every page', async () => {
  const { db } = controls;
  const hook = await addHook(db);
  const names = ['InteractionStarted', 'InteractionCompleted', 'CustomerAnonymised'] as const;
  const byName = new Map<string, string[]>();
  for (const name of [...names, ...names]) {
    const [id = ''] = await addEvents(db, hook, 1, { name, interactionId: '' });
    byName.set(name, [id, ...(byName.get(name) ?? [])]);
    if (byName.get(name)?.length === 1) await recordAll(db, owner, await due(db, [hook]));
  }
  for (const [event, ids] of byName) {
    const found = await listAll(controls, hook, { event, limit: 1 });
    expect(found.map((one) => [one.event, one.eventId, one.interactionId])).toEqual(
      ids.map((id) => [event, id, null]),
    );
    expect(await listAll(controls, hook, { event, states: ['succeeded'] })).toHaveLength(1);
    expect(await listAll(controls, hook, { event, eventId: ids[0] ?? '' })).toHaveLength(1);
  }
  const [anonymised = ''] = byName.get('CustomerAnonymised') ?? [];
  expect(await listAll(controls, hook, { event: 'InteractionStarted', eventId: anonymised })).toEqual([]);
  expect(await listAll(controls, hook, { event: 'Test' })).toEqual([]);
});

test('a list has exactly the requested states and times', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 2);
  const pending = (await listAll(controls, hook)).map(({ id }) => id);
  const skipped = await addFinished(session, hook, { number: 2, state: 'skipped', ago: '5 days' });
  const failures = await addFinished(session, hook, { number: 2, state: 'failed', ago: '3 days' });
  const successes = await addFinished(session, hook, { number: 2, state: 'succeeded', ago: '1 day' });
  const ids = async (wanted: Parameters<typeof listAll>[2]) =>
    (await listAll(controls, hook, { ...wanted, limit: 1 })).map(({ id }) => id).toReversed();
  expect(await ids({ states: ['skipped'] })).toEqual(skipped);
  expect(await ids({ states: ['failed'] })).toEqual(failures);
  expect(await ids({ states: ['succeeded'] })).toEqual(successes);
  expect(await ids({ states: ['discarded'] })).toEqual([]);
  expect(await ids({ states: ['pending'] })).toEqual(pending.toSorted());
  expect(await ids({ states: ['failed', 'skipped', 'failed'] })).toEqual([...skipped, ...failures]);
  const madeMs = (await listAll(controls, hook, { states: ['failed'] })).map((one) => Number(one.createdAt));
  const [since, until] = [new Date(Math.min(...madeMs)), new Date(Math.max(...madeMs) + 1)];
  expect(await ids({ since, until })).toEqual(failures);
  expect(await ids({ since, until: since })).toEqual([]);
  expect(await ids({ since })).toEqual([...failures, ...successes, ...pending.toSorted()]);
  expect(await ids({ until: since })).toEqual(skipped);
  expect(await ids({ since: until, until, states: ['succeeded'] })).toEqual([]);
});

test('a list has the requested event or interaction, in the requested states and times', async () => {
  const { db, client, session } = controls;
  const hook = await addHook(db);
  const beside = await addHook(db, { workspaceId: hook.workspaceId });
  const interactionId = randomUUID();
  const [open = ''] = await addEvents(db, hook, 1, { interactionId });
  await addEvents(db, hook, 1);
  const [finishedId = ''] = await addFinished(session, hook, { number: 2, state: 'failed', ago: '3 days' });
  const finished = await client.getDelivery({ ...of(hook), id: finishedId }, call);
  const ids = async (wanted: Parameters<typeof listAll>[2], on = hook) =>
    (await listAll(controls, on, wanted)).map(({ eventId }) => eventId);
  const ofFinished = { eventId: finished.eventId, interactionId: finished.interactionId ?? '' };
  for (const [name, openOne, finishedOne] of [
    ['eventId', open, ofFinished.eventId],
    ['interactionId', interactionId, ofFinished.interactionId],
  ] as const) {
    expect(await ids({ [name]: openOne })).toEqual([open]);
    expect(await ids({ [name]: openOne }, beside)).toEqual([open]);
    expect(await ids({ [name]: openOne, states: ['failed'] })).toEqual([]);
    expect(await ids({ [name]: openOne }, await addHook(db))).toEqual([]);
    expect(await ids({ [name]: finishedOne })).toEqual([finished.eventId]);
    expect(await ids({ [name]: finishedOne, states: ['failed', 'pending'] })).toEqual([finished.eventId]);
    expect(await ids({ [name]: finishedOne }, beside)).toEqual([]);
    expect(await ids({ [name]: finishedOne, until: finished.createdAt })).toEqual([]);
    expect(await ids({ [name]: finishedOne, since: finished.createdAt })).toEqual([finished.eventId]);
    for (const unknown of [randomUUID(), '11111111-1111-1111-1111-111111111111', 'no-id', '']) {
      expect(await ids({ [name]: unknown })).toEqual([]);
    }
  }
  expect(await ids({ interactionId, eventId: open })).toEqual([open]);
  expect(await ids({ interactionId, eventId: finished.eventId })).toEqual([]);
  expect(await ids({ interactionId: open })).toEqual([]);
  const [second = ''] = await addEvents(db, hook, 1, { interactionId });
  expect(await ids({ interactionId })).toEqual([second, open]);
  const { delivery: sent } = await client.sendTestEvent({ ...of(hook), idempotency: null }, call);
  if (!sent) throw new Error('no test was sent');
  expect(await ids({ eventId: sent.eventId })).toEqual([sent.eventId]);
  expect(await ids({ interactionId: sent.eventId })).toEqual([]);
});

test('an interaction has the deliveries of its events to all webhooks, page by page, with their last errors', async () => {
  const { db, client } = controls;
  const hook = await addHook(db);
  const { workspaceId } = hook;
  const beside = await addHook(db, { workspaceId });
  const removed = await addHook(db, { workspaceId });
  const interactionId = randomUUID();
  await addEvents(db, hook, 1, { interactionId });
  await addEvents(db, hook, 1);
  const [first] = (await due(db, [hook])).toSorted((one, other) => one.id.localeCompare(other.id));
  if (!first) throw new Error('nothing was due');
  await recordAll(db, owner, [first], result({ error: 'dns' }), retryIn(60_000));
  await addEvents(db, hook, 1, { interactionId });
  await deleteWebhook(db, { workspaceId, id: removed.id, version: null });
  const page = (cursor: string, limit: number, of_ = { workspaceId, interactionId }) =>
    client.listInteractionDeliveries({ ...of_, cursor, limit }, call);
  const all = await page('', 50);
  expect(all.deliveries).toHaveLength(4);
  expect(all.nextCursor).toBe('');
  const ids = all.deliveries.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(new Set(all.deliveries.map(({ webhookId }) => webhookId))).toEqual(new Set([hook.id, beside.id]));
  expect(all.deliveries.filter(({ lastError }) => lastError !== null)).toMatchObject([
    { id: first.id, webhookId: hook.id, lastError: 'dns' },
  ]);
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const { deliveries, nextCursor } = await page(cursor, 1);
    paged.push(...deliveries.map(({ id }) => id));
    if (nextCursor === '') break;
    cursor = nextCursor;
  }
  expect(paged).toEqual(ids);
  for (const foreign of [
    { workspaceId, interactionId: randomUUID() },
    { workspaceId: randomUUID(), interactionId },
  ])
    expect(await page('', 50, foreign)).toEqual({ deliveries: [], nextCursor: '' });
  await expect(page('?', 1)).rejects.toMatchObject({ faults: [{ pointer: '/query/cursor' }] });
});

test('lists have every delivery once while others are added and recorded', async () => {
  const { db } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 200);
  const there = (await listAll(controls, hook)).map(({ id }) => id);
  expect(there).toHaveLength(200);
  let open = there.length;
  let lists = 0;
  const listsMin = 10;
  const work = async (): Promise<void> => {
    while (open > 0) {
      const read = await due(db, [hook], 10);
      // Until some lists have been read, as many are added as recorded.
      const added = lists > listsMin ? Number(open > 20) : read.length;
      await Promise.all([recordAll(db, owner, read), addEvents(db, hook, added)]);
      open = (await listAll(controls, hook, { states: ['pending'] })).length;
    }
  };
  const list = async (limit: number): Promise<void> => {
    for (; open > 0; lists += 1) {
      const ids = (await listAll(controls, hook, { limit })).map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
      expect(there.filter((id) => !ids.includes(id))).toEqual([]);
    }
  };
  await Promise.all([work(), list(7), list(50)]);
  expect(lists).toBeGreaterThan(listsMin);
});

test('attempts are listed first to last, page by page, with measurements and the bytes of the answer', async () => {
  const { db, client } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const excerpt = Buffer.from([0xff, 0x00, 0x41]);
  const latency = { dnsMs: null, connectMs: 2, tlsMs: null, firstByteMs: 4 };
  let id = '';
  for (let number = 1; number <= 5; number += 1) {
    const delivery = await dueOne(hook);
    id = delivery.id;
    const answer = number < 5 ? { status: 500, error: 'http_500' as const } : {};
    const how = result({
      ...answer,
      latency,
      durationMs: number,
      excerpt: number === 1 ? excerpt : Buffer.of(),
    });
    await recordAll(db, owner, [delivery], how, number < 5 ? retryIn(0) : {});
  }
  const page = (cursor: string, limit: number) =>
    client.listAttempts({ ...of(hook), deliveryId: id, cursor, limit }, call);
  const first = await page('', 2);
  const second = await page(first.nextCursor, 2);
  const third = await page(second.nextCursor, 2);
  expect([first, second, third].map(({ attempts }) => attempts.map(({ number }) => number))).toEqual([
    [1, 2],
    [3, 4],
    [5],
  ]);
  expect(third.nextCursor).toBe('');
  expect(first.attempts[0]).toEqual({
    number: 1,
    startedAt: expect.any(Date),
    durationMs: 1,
    ...latency,
    status: 500,
    error: 'http_500',
    responseExcerpt: excerpt,
    pauseMs: null,
  });
  expect(third.attempts[0]?.error).toBeNull();
  expect(third.attempts[0]?.responseExcerpt).toEqual(Buffer.of());
  expect((await page('', 5)).nextCursor).toBe('');
});

test('an answer that pauses the webhook is an entry before the attempt with the same number, page by page', async () => {
  const { db, client } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  const busy = result({ status: 429, error: 'http_429' });
  let id = '';
  for (const [how, more] of [
    [busy, pauseFor(7_000)],
    [busy, pauseFor(8_000)],
    [refused, retryIn(0)],
    [result({ status: 503, error: 'http_503' }), pauseFor(9_000)],
    [result(), {}],
  ] as const) {
    await client.retryDelivery({ ...of(hook), id: (await listAll(controls, hook))[0]?.id ?? '' }, call);
    const delivery = await dueOne(hook);
    id = delivery.id;
    await recordAll(db, owner, [delivery], { ...how, startedAt: new Date() }, more);
  }
  const read: unknown[] = [];
  let cursor = '';
  do {
    const page = await client.listAttempts({ ...of(hook), deliveryId: id, cursor, limit: 1 }, call);
    read.push(...page.attempts.map(({ number, status, pauseMs }) => [number, status, pauseMs]));
    cursor = page.nextCursor;
  } while (cursor !== '');
  expect(read).toEqual([
    [1, 429, 7_000],
    [1, 429, 8_000],
    [1, 500, null],
    [2, 503, 9_000],
    [2, 200, null],
  ]);
  expect(await client.getDelivery({ ...of(hook), id }, call)).toMatchObject({ attempts: 2 });
});

test('an unknown cursor and a limit out of range are rejected', async () => {
  const { db, client } = controls;
  const hook = await addHook(db);
  await addEvents(db, hook, 2);
  const [{ id: deliveryId } = { id: '' }] = await listAll(controls, hook);
  const list = (request: object) =>
    client.listDeliveries(
      { ...of(hook), states: [], since: null, until: null, cursor: '', limit: 20, ...request },
      call,
    );
  const attempts = (request: object) =>
    client.listAttempts({ ...of(hook), deliveryId, cursor: '', limit: 20, ...request }, call);
  const { nextCursor } = await list({ limit: 1 });
  const ofAnotherList = '1_0';
  await attempts({ cursor: ofAnotherList });
  for (const cursor of ['?', 'A', ofAnotherList, `${nextCursor}A`, `${nextCursor}=`, 'A'.repeat(400)]) {
    await expect(list({ cursor })).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [{ pointer: '/query/cursor' }],
    });
  }
  for (const cursor of ['?', nextCursor, '0_0', `1_${'9'.repeat(16)}`, '1_0_0']) {
    await expect(attempts({ cursor })).rejects.toMatchObject({ faults: [{ pointer: '/query/cursor' }] });
  }
  for (const limit of [0, -1, 51]) {
    await expect(list({ limit })).rejects.toMatchObject({ faults: [{ pointer: '/limit' }] });
  }
});

test('every call has the same error for a webhook of another workspace, a deleted one and an unknown one', async () => {
  const { db, client, session } = controls;
  const hook = await addHook(db);
  const other = await addHook(db);
  const [id = ''] = await addFinished(session, hook, { number: 1, state: 'failed' });
  const { recovery } = await client.startRecovery(
    { ...of(hook), since: new Date(0), until: null, states: [], idempotency: null },
    call,
  );
  const calls = (webhook: ReturnType<typeof of>, ids: { delivery: string; recovery: string }) => [
    client.listDeliveries({ ...webhook, states: [], since: null, until: null, cursor: '', limit: 1 }, call),
    client.getStats(webhook, call),
    client.sendTestEvent({ ...webhook, idempotency: null }, call),
    client.startRecovery(
      { ...webhook, since: new Date(0), until: null, states: [], idempotency: null },
      call,
    ),
    ...ofDelivery(webhook, ids),
  ];
  const ofDelivery = (webhook: ReturnType<typeof of>, ids: { delivery: string; recovery: string }) => [
    client.getDelivery({ ...webhook, id: ids.delivery }, call),
    client.listAttempts({ ...webhook, deliveryId: ids.delivery, cursor: '', limit: 1 }, call),
    client.retryDelivery({ ...webhook, id: ids.delivery }, call),
    client.getRecovery({ ...webhook, id: ids.recovery }, call),
  ];
  const gone = { status: 'rejected', reason: { code: 'not_found', message: 'There is no such resource' } };
  const known = { delivery: id, recovery: recovery?.id ?? '' };
  const expectGone = async (answers: Promise<unknown>[]): Promise<void> => {
    for (const answer of await Promise.allSettled(answers)) expect(answer).toMatchObject(gone);
  };
  for (const webhookId of [hook.id, randomUUID(), 'no-id', '']) {
    await expectGone(calls({ workspaceId: other.workspaceId, webhookId }, known));
  }
  await expectGone(ofDelivery(of(other), known));
  for (const none of [randomUUID(), 'no-id', '']) {
    await expectGone(ofDelivery(of(hook), { delivery: none, recovery: none }));
  }
  expect(await client.getDelivery({ ...of(hook), id }, call)).toMatchObject({ state: 'failed' });
  // The statement finds deliveries by their webhook, so it excludes other webhooks'.
  const mixed = {
    webhookId: hook.id,
    workspaceId: other.workspaceId,
    since: null,
    until: null,
    beforeId: null,
  };
  expect(await listDeliveries(db, { ...mixed, states: ['failed'] }, 50)).toEqual([]);
  await deleteWebhook(db, { ...hook, version: 1 });
  await expectGone(calls(of(hook), known));
});
