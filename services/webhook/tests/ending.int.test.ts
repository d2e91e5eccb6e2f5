import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/receiver';
import { openSqlSession } from '@parley/testing/sql';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addBacklog } from './backlog.ts';
import { type Hook, setLane } from './lanes.ts';
import { call, completed, type System, startSystem } from './system.ts';

let system: System;
beforeEach(async () => {
  // What a receiver is slow to answer is not given up meanwhile.
  system = await startSystem({ totalTimeoutMs: 100_000, leaseMs: 120_000 });
});
afterEach(() => system[Symbol.asyncDispose]());

const statesOf = async (webhookId: string): Promise<Record<string, number>> => {
  const rows = await system.db
    .selectFrom('delivery')
    .where('webhookId', '=', webhookId)
    .groupBy('state')
    .select(['state', sql<number>`count(*)::int`.as('number')])
    .execute();
  return Object.fromEntries(rows.map(({ state, number }) => [state, number]));
};

/** For a long backlog, which is ended a page after the other. */
const soon = { timeoutMs: 20_000 };

/** How many of a webhook's deliveries are under way while its receiver does not answer. */
const underWay = 4;

/** A webhook with so many deliveries that are due, of which as many are under way as may be. */
async function addBusy(receiver: Receiver, number: number): Promise<Hook> {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const hook = { workspaceId, id };
  await using admin = await openSqlSession(system.adminUrl);
  await addBacklog(admin, hook, { number, dueAt: 'now' });
  await setLane(system.db, hook, { inFlightMax: underWay, readyAt: new Date() });
  await eventually(() => expect(receiver.requests).toHaveLength(underWay));
  return hook;
}

/** A receiver that answers when it is told how, and from then on at once. */
async function startHolding() {
  const answering = Promise.withResolvers<{ status: number }>();
  const receiver = await startReceiver(() => answering.promise);
  return { ...receiver, answer: (status: number) => answering.resolve({ status }) };
}

test('a webhook with a long backlog is switched off at once; nothing more of it is sent, and what waited is skipped', async () => {
  await using receiver = await startHolding();
  const number = 25_000;
  const hook = await addBusy(receiver, number);
  await system.client.updateWebhook({ ...hook, isActive: false }, call);
  receiver.answer(200);
  await eventually(
    async () => expect(await statesOf(hook.id)).toEqual({ skipped: number - underWay, succeeded: underWay }),
    soon,
  );
  expect(receiver.requests).toHaveLength(underWay);
});

test('a webhook that is switched on again does not send what was skipped', async () => {
  await using receiver = await startHolding();
  const number = 35_000;
  const hook = await addBusy(receiver, number);
  await system.client.updateWebhook({ ...hook, isActive: false }, call);
  await system.client.updateWebhook({ ...hook, isActive: true }, call);
  await system.raise([completed({ workspaceId: hook.workspaceId })]);
  receiver.answer(200);
  await eventually(
    async () =>
      expect(await statesOf(hook.id)).toEqual({ skipped: number - underWay, succeeded: underWay + 1 }),
    soon,
  );
  expect(receiver.requests).toHaveLength(underWay + 1);
});

test('a deleted webhook discards a long backlog, and sends nothing more of it', async () => {
  await using receiver = await startHolding();
  const number = 25_000;
  const hook = await addBusy(receiver, number);
  await system.client.deleteWebhook(hook, call);
  receiver.answer(500);
  await eventually(async () => expect(await statesOf(hook.id)).toEqual({ discarded: number }), soon);
  expect(receiver.requests).toHaveLength(underWay);
});

test('a result that cannot be recorded holds up no other', async () => {
  await using receiver = await startReceiver();
  const hooks = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const workspaceId = randomUUID();
      return { workspaceId, ...(await system.createWebhook({ workspaceId, url: receiver.url })) };
    }),
  );
  const [broken, ...others] = hooks;
  const admin = new pg.Client({ connectionString: system.adminUrl });
  await admin.connect();
  await admin.query(`
    create function webhook.refuse() returns trigger language plpgsql as $$
    begin
      if new.webhook_id = '${broken?.id}' then raise exception 'refused by a test'; end if;
      return new;
    end $$;
    create trigger refuse before insert on webhook.finished_delivery
      for each row execute function webhook.refuse()`);
  await admin.end();
  await system.raise(hooks.map(({ workspaceId }) => completed({ workspaceId })));
  await eventually(
    async () => {
      for (const { id } of others) expect(await statesOf(id)).toEqual({ succeeded: 1 });
    },
    { timeoutMs: 20_000 },
  );
  expect(await statesOf(broken?.id ?? '')).toEqual({ pending: 1 });
});

test('what was under way when its webhook was switched off and on goes on', async () => {
  const answering = Promise.withResolvers<{ status: number }>();
  const answers = [answering.promise, { status: 500 }, { status: 200 }];
  await using receiver = await startReceiver(() => answers.shift() ?? { status: 200 });
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  answering.resolve({ status: 503 });
  await eventually(async () => expect(await statesOf(id)).toEqual({ succeeded: 1 }));
  expect(receiver.requests).toHaveLength(3);
});

test('to switch on a webhook that is on ends the pause that its receiver wanted, also for what had been sent', async () => {
  const answers = [{ status: 429, headers: { 'retry-after': '7200' } }];
  await using receiver = await startReceiver(() => answers.shift() ?? { status: 200 });
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(async () => {
    const lane = await system.db
      .selectFrom('lane')
      .where('webhookId', '=', id)
      .select('pausedUntil')
      .execute();
    expect(lane).toEqual([{ pausedUntil: expect.any(Date) }]);
  });
  await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  await eventually(async () => expect(await statesOf(id)).toEqual({ succeeded: 1 }));
});
