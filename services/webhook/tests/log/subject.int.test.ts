import { randomUUID } from 'node:crypto';
import type { SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOfSubject, pageOfSubject } from '../../src/log/subject-store.ts';
import { call, type Controls, startControls } from '../controls.ts';
import { addHook, type Hook } from '../lanes/lanes.ts';

let store: Controls;
let session: SqlConnection;
beforeAll(async () => {
  store = await startControls();
  ({ session } = store);
});
afterAll(() => store[Symbol.asyncDispose]());

/** Adds events about a customer, each with a delivery for every webhook: every second one is finished. */
async function addEvents(
  hooks: Hook[],
  customerId: string,
  number: number,
  about: string = randomUUID(),
): Promise<void> {
  await session.query(
    `with made as (
       insert into event (id, workspace_id, name, about, customer_id, status, data, extra)
       select uuidv7(), $1, 'InteractionStarted', $4, $3, '', '{}', '{}' from generate_series(1, $5) returning id
     ), wanted as (
       select made.id, hook, row_number() over () as number from made, unnest($2::uuid[]) as hook
     ), open as (
       insert into open_delivery (id, workspace_id, webhook_id, event_id)
       select uuidv7(), $1, hook, id from wanted where number % 2 = 0
     )
     insert into finished_delivery (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at)
     select uuidv7(), $1, hook, id, 'succeeded', 1, false, now() from wanted where number % 2 = 1`,
    [hooks[0]?.workspaceId, hooks.map(({ id }) => id), customerId, about, number],
  );
}

async function allOf(workspaceId: string, customerId: string) {
  const customer = { workspaceId, customerId };
  const pages = [await pageOfSubject(store.db, customer, undefined)];
  for (let next = pages[0]?.nextAfter; next; next = pages.at(-1)?.nextAfter) {
    pages.push(await pageOfSubject(store.db, customer, next));
  }
  return { pages, deliveries: pages.flatMap(({ deliveries }) => deliveries) };
}

test('lists every delivery of a customer’s events once, in pages of limited size, and nothing of others', async () => {
  const workspaceId = randomUUID();
  const hooks = await Promise.all(Array.from({ length: 8 }, () => addHook(store.db, { workspaceId })));
  const foreign = await addHook(store.db);
  await addEvents(hooks, 'ada', 230);
  await addEvents(hooks, 'bob', 10);
  await addEvents([foreign], 'ada', 10);
  const { pages, deliveries } = await allOf(workspaceId, 'ada');
  expect(deliveries).toHaveLength(8 * 230);
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(8 * 230);
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) expect(page.deliveries.length).toBeLessThanOrEqual(500);
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['pending', 'succeeded']));
  expect((await allOf(foreign.workspaceId, 'ada')).deliveries).toHaveLength(10);
  expect((await allOf(workspaceId, 'nobody')).deliveries).toEqual([]);
});

test('shows events about no interaction, also of a deleted webhook, and no credential of an address', async () => {
  const hook = await addHook(store.db);
  await addEvents([hook], 'ada', 1, '');
  await session.query(
    `update webhook set url = 'https://user:pa55@shop.example/hook?token=s3cret#s3cret', is_active = false,
       active_since = null, listening_since = null, secret_token = null, deleted_at = now() where id = $1`,
    [hook.id],
  );
  const { deliveries } = await allOf(hook.workspaceId, 'ada');
  expect(deliveries).toEqual([
    {
      id: expect.any(String),
      eventId: expect.any(String),
      event: 'InteractionStarted',
      interactionId: null,
      webhookId: hook.id,
      receiver: 'https://shop.example/hook',
      state: 'succeeded',
      attempts: 1,
      createdAt: expect.any(Date),
      finishedAt: expect.any(Date),
    },
  ]);
});

test('the digest changes with each delivery', async () => {
  const hook = await addHook(store.db);
  const customer = { workspaceId: hook.workspaceId, customerId: 'ada' };
  const digests = [await digestOfSubject(store.db, customer)];
  for (const change of [
    () => addEvents([hook, hook], 'ada', 1),
    () => session.query(`update open_delivery set attempts = 2 where webhook_id = $1`, [hook.id]),
    () => session.query(`update webhook set url = 'https://other.example/' where id = $1`, [hook.id]),
  ]) {
    await change();
    digests.push(await digestOfSubject(store.db, customer));
    expect(await digestOfSubject(store.db, customer)).toBe(digests.at(-1));
  }
  expect(new Set(digests).size).toBe(4);
});

test('the first answer of the call has a digest, which changes with the list, and each names where it continues', async () => {
  const hook = await addHook(store.db);
  await addEvents([hook], 'ada', 700);
  const { workspaceId } = hook;
  const page = (after?: string | null) =>
    store.client.listCustomerDeliveries(
      { workspaceId, customerId: 'ada', ...(after != null && { after }) },
      call,
    );
  const first = await page();
  const ids = first.deliveries.map(({ id }) => id);
  for (let after = first.nextAfter; typeof after === 'string'; ) {
    const next = await page(after);
    expect(next.digest ?? null).toBeNull();
    ids.push(...next.deliveries.map(({ id }) => id));
    after = next.nextAfter;
  }
  expect([ids.length, new Set(ids).size]).toEqual([700, 700]);
  expect(first.digest).toEqual(expect.any(String));
  expect((await page()).digest).toBe(first.digest);
  await addEvents([hook], 'ada', 1);
  expect((await page()).digest).not.toBe(first.digest);
});
