import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, completed, type System, startSystem } from './system.ts';

let system: System;
beforeEach(async () => {
  system = await startSystem();
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

/** For a long backlog, of which a page is ended each second. */
const soon = { timeoutMs: 20_000 };

/** So many deliveries that wait, of one event. */
async function addBacklog(workspaceId: string, webhookId: string, number: number): Promise<void> {
  const { db } = system;
  const eventId = randomUUID();
  await db
    .insertInto('event')
    .values({
      id: eventId,
      workspaceId,
      customerId: 'c-1',
      body: Buffer.from('{}'),
      traceparent: null,
      completedAt: null,
      receivedAt: new Date(),
      redactedVersion: null,
      name: null,
    })
    .execute();
  await sql`
    insert into open_delivery (id, workspace_id, webhook_id, event_id)
    select uuidv7(), ${workspaceId}::uuid, ${webhookId}::uuid, uuidv7() from generate_series(1, ${number}::int)`.execute(
    db,
  );
}

test('a webhook with a long backlog is switched off at once; nothing of it is sent, and all of it is skipped', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const number = 25_000;
  await addBacklog(workspaceId, id, number);
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  await eventually(async () => expect(await statesOf(id)).toEqual({ skipped: number }), soon);
  expect(receiver.requests).toEqual([]);
});

test('a webhook that is switched on again does not send what was skipped', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const number = 35_000;
  await addBacklog(workspaceId, id, number);
  await system.client.updateWebhook({ workspaceId, id, isActive: false }, call);
  await system.client.updateWebhook({ workspaceId, id, isActive: true }, call);
  await system.raise([completed({ workspaceId })]);
  await eventually(async () => expect(await statesOf(id)).toEqual({ skipped: number, succeeded: 1 }), soon);
  expect(receiver.requests).toHaveLength(1);
});

test('a deleted webhook discards a long backlog', async () => {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: 'http://127.0.0.1:9/' });
  const number = 25_000;
  await addBacklog(workspaceId, id, number);
  await system.client.deleteWebhook({ workspaceId, id }, call);
  await eventually(async () => expect(await statesOf(id)).toEqual({ discarded: number }), soon);
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
