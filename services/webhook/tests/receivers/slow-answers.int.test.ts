import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addBacklog } from '../lanes/backlog.ts';
import { type Hook, setOptions } from '../lanes/lanes.ts';
import { lockLane, oneWaits } from '../lanes/locks.ts';
import { finishedOf, openOf } from '../lanes/ordered.ts';
import { call, completed, type System, startSystem } from '../system.ts';

// Receivers answer slowly: while results wait to be recorded, or while a webhook with a long backlog ends. Nothing more
// is sent then, and each delivery is finished once.

let system: System;
let admin: SqlConnection;
beforeAll(async () => {
  // Slow answers do not time out in these tests.
  system = await startSystem({ totalTimeoutMs: 100_000 });
  admin = await openSqlConnection(system.adminUrl);
});
afterAll(async () => {
  await admin[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
});

/** More than a page. */
const backlog = 11_000;

async function statesOf({ id }: Hook): Promise<Record<string, number>> {
  const rows = await admin.query<{ state: string; number: number }>(
    'select state, count(*)::int as number from webhook.delivery where webhook_id = $1 group by state',
    [id],
  );
  return Object.fromEntries(rows.map(({ state, number }) => [state, number]));
}

/** Waits until the deliveries of a webhook have these states: a long backlog ends page by page. */
const become = (hook: Hook, states: Record<string, number>) =>
  eventually(async () => expect(await statesOf(hook)).toEqual(states));

/** Starts a receiver that answers after its release, and immediately from then on. */
async function startHolding() {
  const answering = Promise.withResolvers<{ status: number }>();
  const receiver = await startReceiver(() => answering.promise);
  return { ...receiver, answer: (status: number) => answering.resolve({ status }) };
}

/** Adds a webhook with one delivery in flight and a long backlog. */
async function addBusy(receiver: Receiver, ordering: 'none' | 'strict' = 'none'): Promise<Hook> {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const hook = { workspaceId, id };
  await setOptions(system.db, hook, { ordering });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const [first] = await openOf(system.db, hook);
  await addBacklog(admin, hook, { number: backlog, key: first?.orderingKey ?? null, dueAt: 'now' });
  return hook;
}

test('a webhook that is deactivated and activated sends no skipped delivery, and counts the one in flight', async () => {
  await using receiver = await startHolding();
  const hook = await addBusy(receiver);
  await system.client.updateWebhook({ ...hook, isActive: false }, call);
  await system.client.updateWebhook({ ...hook, isActive: true }, call);
  expect(await statesOf(hook)).toEqual({ skipped: backlog + 1 });
  await system.raise([completed({ workspaceId: hook.workspaceId })]);
  receiver.answer(200);
  await become(hook, { skipped: backlog, succeeded: 2 });
  expect(receiver.requests).toHaveLength(2);
});

test('a deleted webhook discards a long backlog without sending it', async () => {
  await using receiver = await startHolding();
  const hook = await addBusy(receiver);
  await system.client.deleteWebhook(hook, call);
  receiver.answer(500);
  await become(hook, { discarded: backlog + 1 });
  expect(receiver.requests).toHaveLength(1);
});

test('a receiver that answers 410 gets none of the waiting deliveries', async () => {
  await using receiver = await startHolding();
  const hook = await addBusy(receiver, 'strict');
  receiver.answer(410);
  await become(hook, { failed: 1, skipped: backlog });
  expect(await openOf(system.db, hook)).toEqual([]);
  expect(receiver.requests).toHaveLength(1);
});

describe('results that cannot be recorded yet', () => {
  let receiver: Receiver;
  /** Answers the deliveries that go to `/held`. */
  let answer: () => void;
  beforeAll(async () => {
    const answering = Promise.withResolvers<{ status: number }>();
    answer = () => answering.resolve({ status: 200 });
    receiver = await startReceiver(({ url }) =>
      url.startsWith('/held') ? answering.promise : { status: 200 },
    );
  });
  afterAll(() => receiver[Symbol.asyncDispose]());

  /** Adds a webhook in its own workspace, whose deliveries go to this path. */
  async function addHookAt(path: string): Promise<Hook> {
    const workspaceId = randomUUID();
    const { id } = await system.createWebhook({ workspaceId, url: new URL(path, receiver.url).href });
    return { workspaceId, id };
  }

  /** Delivers an event to each of these. */
  const raise = (hooks: readonly Hook[]) =>
    system.raise(hooks.map(({ workspaceId }) => completed({ workspaceId })));

  const requestsAt = (path: string) => receiver.requests.filter(({ url }) => url.startsWith(path));

  test('wait for a locked lane while other webhooks are served, and are all recorded afterwards', async () => {
    const held = await addHookAt('/held');
    await setOptions(system.db, held, { ordering: 'strict' });
    await raise([held, held]);
    await eventually(() => expect(requestsAt('/held')).toHaveLength(1));
    const others = await Promise.all(Array.from({ length: 20 }, () => addHookAt('/other')));
    await lockLane(admin, held);
    answer();
    await oneWaits(admin);
    await raise(others);
    await eventually(() => expect(requestsAt('/other')).toHaveLength(others.length));
    await oneWaits(admin);
    await admin.query('commit');
    await eventually(async () => {
      for (const hook of others) expect(await finishedOf(system.db, hook)).toMatchObject([{ attempts: 1 }]);
      expect(await finishedOf(system.db, held)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    });
  });

  test('wait for a lock, like deliveries that wait to be parked, without a delay of the other due lanes', async () => {
    const hooks: Hook[] = [];
    for (const path of ['/plain/1', '/ordered', '/plain/2']) hooks.push(await addHookAt(path));
    const [before, ordered, after] = hooks as [Hook, Hook, Hook];
    await setOptions(system.db, ordered, { ordering: 'strict' });
    // Not before the lock, however busy the machine is.
    const dueAt = new Date(Date.now() + 10_000).toISOString();
    await addBacklog(admin, ordered, {
      number: 1,
      key: '',
      dueAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await addBacklog(admin, ordered, { number: 1, key: '', dueAt });
    for (const hook of [before, after]) await addBacklog(admin, hook, { number: 1, dueAt });
    await admin.query('begin');
    await admin.query('select from webhook.open_delivery where webhook_id = $1 for update', [ordered.id]);
    await oneWaits(admin);
    await eventually(() => expect(requestsAt('/plain')).toHaveLength(2));
    await admin.query('rollback');
    expect(requestsAt('/ordered')).toEqual([]);
  });

  test('delay no others, and their deliveries are not duplicated', async () => {
    const hooks = await Promise.all(Array.from({ length: 6 }, (_, at) => addHookAt(`/broken/${at}`)));
    const [broken, ...others] = hooks;
    if (!broken) throw new Error('there is no webhook');
    // It locks all partitions, so Postgres may end it for a deadlock with the service.
    await eventually(() =>
      admin.query(`
        create function webhook.refuse() returns trigger language plpgsql as $$
          begin raise exception 'refused by a test'; end $$;
        create trigger refuse before insert on webhook.finished_delivery
          for each row when (new.webhook_id = '${broken.id}') execute function webhook.refuse()`),
    );
    await raise(hooks);
    await eventually(async () => {
      for (const hook of others)
        expect(await finishedOf(system.db, hook)).toMatchObject([{ state: 'succeeded' }]);
    });
    expect(await openOf(system.db, broken)).toHaveLength(1);
    await eventually(() => admin.query('drop trigger if exists refuse on webhook.finished_delivery'));
    await eventually(async () =>
      expect(await finishedOf(system.db, broken)).toMatchObject([{ state: 'succeeded', attempts: 1 }]),
    );
    expect(requestsAt('/broken/0')).toHaveLength(1);
  });
});
