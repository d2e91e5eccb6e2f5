import { randomUUID } from 'node:crypto';
import { eventExamples } from '@parley/contracts/event-examples';
import { interactionCompleted, interactionDeleted, interactionStarted } from '@parley/contracts/events';
import { inboxOf } from '@parley/events/inbox';
import { newEvent } from '@parley/events/log';
import { shareEventsMax } from '@parley/events/shares';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type System, startSystem } from './system.ts';

// What events of one workspace cost delays that workspace, and no other.

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

/** Nine searches in one of the longest answers. */
const costlyFilter = (n: number): string =>
  Array.from({ length: 9 }, (_, at) => `evaluation.why.lowerAscii().contains('${n}-${at}')`).join(' || ');

/** Costly filters, of which the first lets events pass. An event for 30 of them is too much for any batch. */
const firstPasses = (n: number): string => (n === 0 ? `${costlyFilter(n)} || true` : costlyFilter(n));

/** A workspace with webhooks at one receiver, and an interaction about which events can be raised. */
async function tenant(webhooks: number, filterOf: (n: number) => string | undefined = () => undefined) {
  const workspaceId = randomUUID();
  const receiver = await startReceiver();
  const webhookIds: string[] = [];
  const change = (n: number, options: { filter: { filter: string } }) => {
    const of = { workspaceId, id: webhookIds[n] ?? '' };
    return system.deliveries.updateWebhookOptions(
      { ...of, headers: null, rateLimit: null, events: [], ...options },
      call,
    );
  };
  for (let n = 0; n < webhooks; n += 1) {
    const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
    webhookIds.push(id);
    const filter = filterOf(n);
    if (filter !== undefined) await change(n, { filter: { filter } });
  }
  const interactionId = randomUUID();
  system.interactions.bodies.set(interactionId, {
    body: Buffer.from(JSON.stringify({ interaction_id: interactionId })),
    customerVersion: 0,
    interaction: { ...eventExamples.InteractionCreated, id: interactionId },
    evaluation: { why: 'The delivery came late, and nobody had an answer. '.repeat(80) },
  });
  return {
    workspaceId,
    interactionId,
    webhookIds,
    change,
    events: (count: number, customerId = 'c-1') =>
      Array.from({ length: count }, () =>
        newEvent(interactionCompleted, {
          workspaceId,
          interactionId,
          customerId,
          completedAt: new Date(),
          botId: '',
        }),
      ),
    received: () => receiver.requests.map(({ headers }) => String(headers['webhook-id'])),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

async function filteredOf(workspaceId: string): Promise<number> {
  const { rows } = await sql<{ filtered: number }>`
    ${acrossWorkspaces('a test')}
    select coalesce(sum(filtered + errors), 0)::int as filtered from filter_result where workspace_id = ${workspaceId}`.execute(
    system.db,
  );
  return rows[0]?.filtered ?? 0;
}

const notDelayed = { delayedSince: null, delayReason: '', waitingEvents: 0 };

/** Returns what the statistics of a webhook say about its delay. */
function delayOf({ workspaceId, webhookIds }: { workspaceId: string; webhookIds: string[] }, n = 0) {
  return async () => {
    const of = { workspaceId, webhookId: webhookIds[n] ?? '' };
    const { delayedSince, delayReason, waitingEvents } = await system.deliveries.getStats(of, call);
    return { delayedSince, delayReason, waitingEvents };
  };
}

async function asideOf(workspaceId: string) {
  const { rows } = await sql<{ id: string; tries: number }>`
    select id, tries from event_put_aside where workspace_id = ${workspaceId}`.execute(system.db);
  return rows;
}

/** Lets a webhook receive its events in their order. */
async function makeOrdered(workspaceId: string, id: string): Promise<void> {
  const others = { headers: null, rateLimit: null, events: [], filter: null };
  await system.deliveries.updateWebhookOptions({ workspaceId, id, ...others, ordering: 'strict' }, call);
}

/** Holds up what counts the results of the webhook's filter, until it is disposed of. */
async function holdResults(workspaceId: string, webhookId = ''): Promise<AsyncDisposable> {
  const connection = await openSqlConnection(system.adminUrl);
  await connection.query(`
    begin;
    insert into webhook.filter_result (webhook_id, workspace_id) values ('${webhookId}', '${workspaceId}')`);
  return connection;
}

test('costly filters of a workspace delay no event of another, and all its events come once and in order', async () => {
  await using costly = await tenant(30, costlyFilter);
  await using other = await tenant(1);
  await using ordered = await startReceiver();
  const { workspaceId } = costly;
  const delay = delayOf(costly);
  expect(await delay()).toEqual(notDelayed);
  const { id } = await system.createWebhook({ workspaceId, url: ordered.url });
  await makeOrdered(workspaceId, id);
  const many = costly.events(90);
  const decisions = 30 * many.length;
  {
    await using _ = await holdResults(workspaceId, costly.webhookIds[0]);
    for (let part = 0; part < 3; part += 1) {
      const own = other.events(1);
      await system.raiseAny([...many.slice(30 * part, 30 * (part + 1)), ...own]);
      await eventually(() => expect(other.received()).toContain(own[0]?.id));
    }
    expect(await delay()).toEqual({
      delayedSince: expect.any(Date) as Date,
      delayReason: 'filter',
      waitingEvents: expect.any(Number) as number,
    });
    expect(await delayOf(other)()).toEqual(notDelayed);
    expect(await filteredOf(workspaceId)).toBe(0);
  }
  await eventually(() => expect(ordered.requests).toHaveLength(many.length));
  expect(ordered.requests.map(({ headers }) => headers['webhook-id'])).toEqual(many.map((event) => event.id));
  await eventually(async () => expect(await filteredOf(workspaceId)).toBe(decisions));
  expect(costly.received()).toEqual([]);
  await eventually(async () => expect(await delay()).toEqual(notDelayed));
});

test('a costly filter delays no other webhook of its workspace, also an ordered one', async () => {
  await using costly = await tenant(30, costlyFilter);
  await using cheap = await startReceiver();
  const { workspaceId, interactionId } = costly;
  const { id } = await system.createWebhook({ workspaceId, url: cheap.url });
  await makeOrdered(workspaceId, id);
  const many = costly.events(60);
  const received = () => cheap.requests.map(({ headers }) => headers['webhook-id']);
  {
    await using _ = await holdResults(workspaceId, costly.webhookIds[0]);
    await system.raiseAny(many);
    await eventually(() => expect(received()).toEqual(many.map((event) => event.id)));
    expect(await filteredOf(workspaceId)).toBe(0);
    expect(await delayOf(costly)()).toMatchObject({ delayReason: 'filter', waitingEvents: 60 });
    expect(await delayOf({ workspaceId, webhookIds: [id] })()).toEqual(notDelayed);
    // What waits still needs the former filter.
    await costly.change(1, { filter: { filter: 'false' } });
    expect(await delayOf(costly, 1)()).toMatchObject({ delayReason: 'filter', waitingEvents: 60 });
    const about = { workspaceId, interactionIds: [interactionId], latestChangeAt: new Date(0) };
    await eventually(async () => {
      const undelivered = await system.client.listUndelivered(about, call);
      expect(undelivered.interactionIds).toEqual([interactionId]);
    });
  }
  await eventually(async () => expect(await filteredOf(workspaceId)).toBe(30 * many.length));
  await eventually(async () => expect(await delayOf(costly)()).toEqual(notDelayed));
  expect(received()).toHaveLength(many.length);
});

test('an ordered webhook gets events in order when its filter was costly, and is not any more', async () => {
  await using hook = await tenant(30, firstPasses);
  await using other = await tenant(1);
  const { workspaceId, webhookIds } = hook;
  await makeOrdered(workspaceId, webhookIds[0] ?? '');
  const [before, after, own] = [hook.events(60), hook.events(60), other.events(1)];
  {
    await using _ = await holdResults(workspaceId, webhookIds[1]);
    await system.raiseAny(before);
    await eventually(async () => expect(await delayOf(hook)()).toMatchObject({ waitingEvents: 60 }));
    await hook.change(0, { filter: { filter: 'true' } });
    await system.raiseAny([...after, ...own]);
    await eventually(() => expect(other.received()).toEqual([own[0]?.id]));
    expect(hook.received()).toEqual([]);
  }
  await eventually(() => expect(hook.received()).toHaveLength(120));
  expect(hook.received()).toEqual([...before, ...after].map(({ id }) => id));
});

test('while events wait for an order, no later event of their workspace overtakes them', async () => {
  await using hook = await tenant(30, firstPasses);
  await using other = await startReceiver();
  const { workspaceId, webhookIds, interactionId } = hook;
  await makeOrdered(workspaceId, webhookIds[0] ?? '');
  const { id } = await system.createWebhook({ workspaceId, url: other.url });
  const rest = { headers: null, rateLimit: null, filter: null };
  const names = ['InteractionCompleted', 'InteractionStarted'];
  await system.deliveries.updateWebhookOptions(
    { workspaceId, id, ...rest, events: names, ordering: 'strict' },
    call,
  );
  // It has not changed for long.
  await sql`
    update subscription set since = since - interval '1 hour'
    where webhook_id = ${id} and workspace_id = ${workspaceId}`.execute(system.db);
  const received = () => other.requests.map(({ headers }) => headers['webhook-id']);
  const before = hook.events(60);
  // As many as a share has, and behind them events that only the other webhook wants.
  const completed = hook.events(shareEventsMax.usual);
  const started = Array.from({ length: 10 }, () =>
    newEvent(interactionStarted, { workspaceId, interactionId, customerId: 'c-1' }),
  );
  {
    await using _ = await holdResults(workspaceId, webhookIds[1]);
    await system.raiseAny(before);
    await eventually(() => expect(received()).toHaveLength(60));
    await hook.change(0, { filter: { filter: 'true' } });
    await system.raiseAny([...completed, ...started]);
    await eventually(async () =>
      expect(await asideOf(workspaceId)).toHaveLength(60 + completed.length + started.length),
    );
  }
  await eventually(() => expect(received()).toHaveLength(60 + completed.length + started.length));
  expect(received()).toEqual([...before, ...completed, ...started].map((event) => event.id));
});

test('while events of a workspace wait, each of its webhooks says since when', async () => {
  await using connection = await openSqlConnection(system.adminUrl);
  await using hook = await tenant(2, (n) => (n === 0 ? costlyFilter(n) : 'true'));
  await using other = await tenant(1, costlyFilter);
  const { workspaceId } = hook;
  const [costly, cheap, ofOther] = [delayOf(hook, 0), delayOf(hook, 1), delayOf(other)];
  // The customer's removal holds the events up for as long as the test needs.
  await connection.query(`begin; select pg_advisory_xact_lock(webhook.fence_key('${workspaceId}', 'c-1'))`);
  await system.raiseAny(hook.events(60));
  await eventually(async () => expect((await costly()).waitingEvents).toBe(60));
  const { delayedSince } = await costly();
  await sql`
    ${acrossWorkspaces('a test')}
    insert into event_put_aside
      (durable, id, type, workspace_id, about, payload, traceparent, raised_at, error, tries, due_at)
    select durable, gen_random_uuid(), 'more', workspace_id, about, payload, traceparent, raised_at, '', 0, due_at
    from (select * from event_put_aside where workspace_id = ${workspaceId} limit 1) as one, generate_series(1, 1000)`.execute(
    system.db,
  );
  expect(await costly()).toMatchObject({ waitingEvents: 1_000 });
  await sql`delete from event_put_aside where workspace_id = ${workspaceId} and type = 'more'`.execute(
    system.db,
  );
  expect(Math.abs(Number(delayedSince) - Date.now())).toBeLessThan(60_000);
  expect(await costly()).toEqual({ delayedSince, delayReason: 'workspace', waitingEvents: 60 });
  expect(await cheap()).toEqual({ delayedSince, delayReason: 'workspace', waitingEvents: 60 });
  expect(await ofOther()).toEqual(notDelayed);
  const inbox = inboxOf(system.db, 'webhook');
  expect(await inbox.waitingSeconds()).toBeGreaterThan(0);
  await sql`
    update event_put_aside set due_at = due_at - interval '1 hour' where workspace_id = ${workspaceId}`.execute(
    system.db,
  );
  expect(await inbox.waitingSeconds()).toBeGreaterThan(3_600);
  const id = hook.webhookIds[0] ?? '';
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  expect(await costly()).toEqual(notDelayed);
  await connection.query('commit');
  await eventually(async () => expect(await cheap()).toEqual(notDelayed));
  expect(await inbox.waitingSeconds()).toBe(0);
});

test('during a long removal, events of the customer wait without a failure, and no others do', async () => {
  await using connection = await openSqlConnection(system.adminUrl);
  await using hook = await tenant(1);
  const { workspaceId } = hook;
  // More than a turn has.
  const count = shareEventsMax.usual + 50;
  const [of, ofAnother] = [hook.events(count), hook.events(1, 'c-2')];
  const deleted = newEvent(interactionDeleted, {
    workspaceId,
    customerId: 'c-1',
    interactionId: randomUUID(),
  });
  await connection.query(`begin; select pg_advisory_xact_lock(webhook.fence_key('${workspaceId}', 'c-1'))`);
  await system.raiseAny([...of, deleted]);
  const waiting = () => asideOf(workspaceId);
  await eventually(async () => expect(await waiting()).toHaveLength(count + 1));
  await system.raiseAny(ofAnother);
  await eventually(() => expect(hook.received()).toEqual(ofAnother.map(({ id }) => id)));
  // As if the removal took ten minutes.
  await connection.query(`update webhook.event_put_aside set due_at = now() - interval '10 minutes'`);
  await system.raiseAny(hook.events(1, 'c-3'));
  await eventually(() => expect(hook.received()).toHaveLength(2));
  expect(new Set((await waiting()).map(({ tries }) => tries))).toEqual(new Set([0]));
  expect(await waiting()).toHaveLength(count + 1);
  await connection.query('commit');
  await eventually(() => expect(hook.received()).toHaveLength(count + 2));
  await eventually(async () => expect(await waiting()).toEqual([]));
});
