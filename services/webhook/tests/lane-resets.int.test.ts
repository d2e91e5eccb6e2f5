import { randomBytes } from 'node:crypto';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { connect } from '@parley/rpc/connect';
import { serve, service } from '@parley/rpc/serve';
import { keyring } from '@parley/runtime/keyring';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claimed } from '../src/delivering/claim-store.ts';
import { finishAbandoned } from '../src/delivering/end-store.ts';
import { intakeHandlers } from '../src/intake/handlers.ts';
import { fingerprintKey } from '../src/webhooks/fingerprint-key-store.ts';
import { webhookHandlers } from '../src/webhooks/handlers.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  endLeases,
  type Hook,
  laneOf,
  pauseFor,
  refused,
  type Store,
  setLane,
  settleAll,
} from './lanes.ts';
import { somebodyWaits } from './locks.ts';
import { openOf } from './ordered.ts';
import { call } from './system.ts';

// A webhook is switched on or off, and its lane with it, while workers claim.

let running: AsyncDisposableStack;
let store: Store;
let session: SqlSession;
/** As a caller does it, with the answer of the service. */
let switchTo: (isActive: boolean, hook: Hook) => Promise<unknown>;
beforeEach(async () => {
  running = new AsyncDisposableStack();
  store = running.use(await createStore());
  session = running.use(await openSqlSession(store.adminUrl));
  const keys = keyring.parse(`k1:${randomBytes(32).toString('base64')}`);
  const handlers = {
    ...webhookHandlers({
      db: store.db,
      keys,
      fingerprintKey: await fingerprintKey(store.db, keys),
      allowsPrivate: true,
      allowedNetworks: [],
      webhooksPerWorkspace: 100,
    }),
    ...intakeHandlers({ db: store.db }),
  };
  const tokens = { service: 'a service token of a test', operator: 'an operator token of a test' };
  const { address } = running.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: [service(WebhookServiceService, handlers)],
      tokens,
      logger,
      isReady: async () => true,
    }),
  );
  const client = running.use(connect(address, { token: tokens.service })).client(WebhookServiceService);
  switchTo = (isActive, { workspaceId, id }) => client.updateWebhook({ workspaceId, id, isActive }, call);
});
afterEach(() => running.disposeAsync());

/** The lanes whose count is not that of the leases that there are, at one instant. */
const miscounted = () =>
  session.query(
    `select * from (
       select webhook_id, under_way, (
         select count(*)::int from webhook.open_delivery
         where open_delivery.webhook_id = lane.webhook_id and lease_token is not null) as leases
       from webhook.lane) as each
     where under_way <> leases`,
  );

test('a claim that comes while a pause is taken away does not put the lane off again', async () => {
  const { db } = store;
  const hook = await addHook(db);
  await addEvents(db, hook, 1);
  await settleAll(db, await claim(db), refused, pauseFor(3_600_000));
  // What the pause had put off is made due behind a gate.
  await session.query(`
    create function webhook.wait() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger wait before update on webhook.open_delivery
      for each row when (old.due_at > now() and new.due_at <= now()) execute function webhook.wait();
    select pg_advisory_lock(1)`);
  const switching = switchTo(true, hook);
  await somebodyWaits(session);
  expect(await claim(db)).toEqual([]);
  await session.query('select pg_advisory_unlock(1)');
  await switching;
  expect(await claim(db)).toHaveLength(1);
});

test.each([true, false])(
  'what a claim takes while its webhook is switched (isActive: %s) stays counted',
  async (isActive) => {
    const { db } = store;
    const hook = await addHook(db, { inFlightMax: 4 });
    await addEvents(db, hook, 6);
    const claiming = await db.startTransaction().execute();
    const claimed = await claim(claiming);
    const switching = switchTo(isActive, hook);
    await somebodyWaits(session);
    await claiming.commit().execute();
    await switching;
    expect(claimed).toHaveLength(4);
    expect(await laneOf(db, hook)).toMatchObject({ underWay: 4 });
    expect(await claim(db)).toEqual([]);
    expect((await settleAll(db, claimed)).lateIds).toEqual([]);
    expect(await laneOf(db, hook)).toMatchObject({ underWay: 0 });
    expect(await claim(db)).toHaveLength(isActive ? 2 : 0);
  },
);

test.each([
  ['lane', 'new.paused_until is null'],
  ['open_delivery', "old.state = 'skipped' and new.state = 'pending'"],
])(
  'a webhook is switched on with its lane and what is under way, or not at all (%s)',
  async (table, when) => {
    const { db } = store;
    const hook = await addHook(db);
    await addEvents(db, hook, 1);
    const claimed = await claim(db);
    await setLane(db, hook, { pausedUntil: new Date(Date.now() + 3_600_000) });
    await switchTo(false, hook);
    await session.query(`
    create function webhook.refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by a test'; end $$;
    create trigger refuse before update on webhook.${table}
      for each row when (${when}) execute function webhook.refuse()`);
    const state = () =>
      session.query(
        `select is_active, paused_until is not null as is_paused, state, under_way
       from webhook.webhook join webhook.lane on lane.webhook_id = webhook.id
       join webhook.open_delivery on open_delivery.webhook_id = webhook.id`,
      );
    await expect(switchTo(true, hook)).rejects.toThrow();
    expect(await state()).toEqual([{ is_active: false, is_paused: true, state: 'skipped', under_way: 1 }]);
    await session.query(`drop trigger refuse on webhook.${table}`);
    await switchTo(true, hook);
    expect(await state()).toEqual([{ is_active: true, is_paused: false, state: 'pending', under_way: 1 }]);
    expect((await settleAll(db, claimed)).lateIds).toEqual([]);
  },
);

test('however many switch webhooks on and off while others add, deliver and die: every lease is counted, nothing stays open', async () => {
  const { db } = store;
  const hooks = await Promise.all(Array.from({ length: 4 }, () => addHook(db, { inFlightMax: 4 })));
  let isSwitching = true;
  // A worker has what it has claimed while others have their turn, or dies with it.
  const deliver = async (): Promise<void> => {
    let held: Claimed[] = [];
    for (let empty = 0; isSwitching || empty < 5; ) {
      const isDying = Math.random() < 0.2;
      const claimed = await claim(db, { slots: 9, ...(isDying && { leaseMs: 0 }) });
      if (held.length > 0) await settleAll(db, held);
      held = isDying ? [] : claimed;
      empty = claimed.length === 0 ? empty + 1 : 0;
    }
  };
  const switchAll = async (): Promise<void> => {
    for (let round = 0; round < 25; round += 1) {
      for (const hook of hooks) {
        await addEvents(db, hook, 3);
        await switchTo(Math.random() < 0.5, hook);
        expect(await miscounted()).toEqual([]);
      }
      await finishAbandoned(db);
    }
  };
  const delivering = [deliver(), deliver(), deliver()];
  await Promise.all([switchAll(), switchAll()]);
  isSwitching = false;
  await Promise.all(delivering);
  await Promise.all(hooks.map((hook) => switchTo(true, hook)));
  await endLeases(db);
  await deliver();
  for (const hook of hooks) {
    expect(await openOf(db, hook)).toEqual([]);
    expect(await laneOf(db, hook)).toMatchObject({ underWay: 0 });
  }
}, 60_000);
