import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { openSqlConnection } from '@parley/testing/database/sql';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableFailing } from '../../src/deliveries/end-store.ts';
import type { Tables } from '../../src/schema.ts';
import { activateWebhook, deactivateWebhook } from '../../src/webhooks/store.ts';
import {
  addEvents,
  addHook,
  createStore,
  due,
  type Hook,
  incoming,
  laneOf,
  ownAll,
  recordAll,
  type Store,
  storeEvents,
} from './lanes.ts';

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

async function answerGone(db: Kysely<Tables>, hook: Hook): Promise<void> {
  await addEvents(db, hook, 1);
  const next = { state: 'failed' as const, isGone: true };
  await recordAll(db, await ownAll(db), await due(db, [hook]), undefined, { next });
}

async function fail(db: Kysely<Tables>, hook: Hook): Promise<void> {
  const { workspaceId, webhookId, revision } = await laneOf(db, hook);
  expect(await disableFailing(db, { workspaceId, webhookId, revision })).toBe(true);
}

/** Returns an instant between earlier and later steps, in milliseconds like the instants of events. */
async function moment(db: Kysely<Tables>): Promise<Date> {
  const now = async (): Promise<Date> => {
    const { rows } = await sql<{ now: Date }>`
      ${acrossWorkspaces('the time is the same for all')} select clock_timestamp() as now`.execute(db);
    return rows[0]?.now ?? new Date(Number.NaN);
  };
  const [from, at] = [await now(), await now()];
  return at > from ? after(await now(), at) : moment(db);

  async function after(next: Date, known: Date): Promise<Date> {
    return next > known ? known : after(await now(), known);
  }
}

/** Stores events that were raised at these instants, and returns the states of their deliveries. */
async function arriving(db: Kysely<Tables>, { workspaceId, id }: Hook, moments: readonly Date[]) {
  const events = moments.map((raisedAt) => ({ ...incoming({ workspaceId }), raisedAt }));
  await storeEvents(db, events);
  const rows = await db
    .selectFrom('delivery')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .select(['eventId', 'state'])
    .execute();
  const states = new Map(rows.map(({ eventId, state }) => [eventId, state]));
  return events.map((event) => states.get(event.id));
}

test('an event of an active time is skipped if it arrives after a deactivation, or a later activation', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const first = await moment(db);
  await deactivateWebhook(db, hook);
  const off = await moment(db);
  expect(await arriving(db, hook, [first, off])).toEqual(['skipped', undefined]);
  await activateWebhook(db, hook);
  const second = await moment(db);
  await deactivateWebhook(db, hook);
  const offAgain = await moment(db);
  await activateWebhook(db, hook);
  const third = await moment(db);
  expect(await arriving(db, hook, [first, off, second, offAgain, third])).toEqual([
    'skipped',
    undefined,
    'skipped',
    undefined,
    'pending',
  ]);
});

test('an event from before a 410 is skipped if it arrives later', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const before = await moment(db);
  await answerGone(db, hook);
  const after = await moment(db);
  expect(await arriving(db, hook, [before, after])).toEqual(['skipped', undefined]);
});

test('an event during an automatic deactivation is skipped, also if it arrives after an activation', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const before = await moment(db);
  await fail(db, hook);
  const off = await moment(db);
  expect(await arriving(db, hook, [before, off])).toEqual(['skipped', 'skipped']);
  await activateWebhook(db, hook);
  const on = await moment(db);
  expect(await arriving(db, hook, [before, off, on])).toEqual(['skipped', 'skipped', 'pending']);
});

test('an automatically deactivated webhook stops listening when a call deactivates it', async () => {
  const { db } = store;
  const [hook, other] = [await addHook(db), await addHook(db)];
  for (const one of [hook, other]) await fail(db, one);
  const off = await moment(db);
  await deactivateWebhook(db, hook);
  const unknown = { ...other, workspaceId: hook.workspaceId };
  await expect(deactivateWebhook(db, unknown)).rejects.toMatchObject({ code: 'not_found' });
  const saidOff = await moment(db);
  expect(await arriving(db, hook, [off, saidOff])).toEqual(['skipped', undefined]);
  expect(await arriving(db, other, [off, saidOff])).toEqual(['skipped', 'skipped']);
  await activateWebhook(db, hook);
  const on = await moment(db);
  expect(await arriving(db, hook, [off, saidOff, on])).toEqual(['skipped', undefined, 'pending']);
});

test('an event from before the creation of a webhook is not stored for it', async () => {
  const { db } = store;
  const before = await moment(db);
  const hook = await addHook(db);
  expect(await arriving(db, hook, [before])).toEqual([undefined]);
});

test('a webhook that is switched hundreds of times gets the events of its active times', async () => {
  const { db } = store;
  const hook = await addHook(db);
  const on: Date[] = [];
  for (let turn = 0; turn < 110; turn += 1) {
    on.push(await moment(db));
    await deactivateWebhook(db, hook);
    await activateWebhook(db, hook);
  }
  expect(new Set(await arriving(db, hook, on))).toEqual(new Set(['skipped']));
  const { rows } = await sql<{ stretches: number }>`
    select (select count(*)::int from unnest(listened)) as stretches from webhook
    where workspace_id = ${hook.workspaceId} and id = ${hook.id}`.execute(db);
  expect(rows[0]?.stretches).toBeLessThanOrEqual(100);
});

test('a webhook is deactivated together with its backlog, and activated together with its lane, or not at all', async () => {
  await using connection = await openSqlConnection(store.adminUrl);
  const { db } = store;
  const hook = await addHook(db, { openings: 2 });
  await addEvents(db, hook, 1);
  await connection.query(`
    create function webhook.refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by a test'; end $$`);
  const state = () =>
    connection.query(
      `select is_active as "isActive", openings, state from webhook.webhook
       join webhook.lane on lane.webhook_id = webhook.id join webhook.delivery on delivery.webhook_id = webhook.id
       where webhook.id = $1`,
      [hook.id],
    );
  const refusing = async (trigger: string, change: () => Promise<unknown>): Promise<void> => {
    const before = await state();
    await connection.query(
      `create trigger refuse before ${trigger} for each row execute function webhook.refuse()`,
    );
    await expect(change()).rejects.toThrow('refused by a test');
    expect(await state()).toEqual(before);
    await connection.query(`drop trigger refuse on ${trigger.split(' ').at(-1)}`);
    await change();
  };
  await refusing('insert on webhook.finished_delivery', () => deactivateWebhook(db, hook));
  expect(await state()).toEqual([{ isActive: false, openings: 2, state: 'skipped' }]);
  await refusing('update on webhook.lane', () => activateWebhook(db, hook));
  expect(await state()).toEqual([{ isActive: true, openings: 0, state: 'skipped' }]);
});
