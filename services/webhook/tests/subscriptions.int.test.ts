import { randomUUID } from 'node:crypto';
import type { EventName } from '@parley/contracts/event-names';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listWanted, loadSubscribers } from '../src/subscriptions/subscription-store.ts';
import { addHook, createStore, type Hook, type Store } from './lanes/lanes.ts';

// Each event meets what the webhooks of its workspace wanted when it was raised.

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const startMs = Date.UTC(2026, 0, 1);
const names = [
  'InteractionCreated',
  'InteractionStarted',
  'InteractionCompleted',
] as const satisfies EventName[];
const pick = <Value>(values: readonly Value[]): Value | undefined =>
  values[Math.floor(Math.random() * values.length)];

interface Change {
  since: Date;
  events: EventName[];
  filter: string | null;
}

interface Known extends Hook {
  isOrdered: boolean;
  isDeleted: boolean;
  changes: Change[];
}

/** Adds a webhook that has wanted other events, with other filters, at random seconds of the first hundred. */
async function addChanging(workspaceId: string): Promise<Known> {
  const { db } = store;
  const { id } = await addHook(db, { workspaceId });
  const seconds = new Set(
    Array.from({ length: 1 + Math.random() * 8 }, () => Math.floor(Math.random() * 100)),
  );
  const changes = [...seconds]
    .toSorted((one, other) => one - other)
    .map((second) => ({
      since: new Date(startMs + 1_000 * second),
      events: names.filter((_, at) => at === second % 3 || Math.random() < 0.5),
      filter: second % 2 === 0 ? null : `event.type != "${second}"`,
    }));
  const [isOrdered, isDeleted] = [Math.random() < 0.5, Math.random() < 0.2];
  await sql`delete from subscription where webhook_id = ${id} and workspace_id = ${workspaceId}`.execute(db);
  for (const { since, events, filter } of changes)
    await sql`
      insert into subscription (webhook_id, workspace_id, since, events, filter, is_enveloped)
      values (${id}, ${workspaceId}, ${since}, ${events}, ${filter}, false)`.execute(db);
  const ordering = isOrdered ? 'strict' : 'none';
  await sql`
    update webhook set ordering = ${ordering} where id = ${id} and workspace_id = ${workspaceId}`.execute(db);
  if (isDeleted)
    await sql`
      update webhook set deleted_at = now(), is_active = false, active_since = null, secret_token = null
      where id = ${id} and workspace_id = ${workspaceId}`.execute(db);
  return { workspaceId, id, isOrdered, isDeleted, changes };
}

test('webhooks get the events that they wanted when these were raised, with the filter of then', async () => {
  const workspaceIds = [randomUUID(), randomUUID(), randomUUID()];
  const hooks: Known[] = [];
  for (let count = 0; count < 30; count += 1) hooks.push(await addChanging(workspaceIds[count % 2] ?? ''));
  const events = Array.from({ length: 300 }, () => ({
    id: randomUUID(),
    workspaceId: pick(workspaceIds) ?? '',
    name: pick(names) ?? 'InteractionCompleted',
    // Also at the instant of a change.
    raisedAt: new Date(startMs + 500 * Math.floor(Math.random() * 220)),
    webhookId: Math.random() < 0.1 ? pick(hooks)?.id : undefined,
  }));
  const expected = events.map(({ id, workspaceId, name, raisedAt, webhookId }) => {
    const own = hooks.filter((hook) => hook.workspaceId === workspaceId && !hook.isDeleted);
    const subscribers = own.flatMap((hook) => {
      const before = hook.changes.filter(({ since }) => since <= raisedAt);
      const wanted = before.at(-1);
      if (!wanted?.events.includes(name) || hook.id === webhookId) return [];
      const hadFilter = hook.isOrdered && before.slice(0, -1).some(({ filter }) => filter !== null);
      return { webhookId: hook.id, filter: wanted.filter, hadFilter };
    });
    return [id, subscribers.toSorted((one, other) => one.webhookId.localeCompare(other.webhookId))] as const;
  });
  const found = await loadSubscribers(store.db, events);
  for (const [id, subscribers] of expected) {
    const own = (found.get(id) ?? []).map(({ webhookId, filter, hadFilter }) => ({
      webhookId,
      filter,
      hadFilter,
    }));
    expect(own).toEqual(subscribers);
  }
  const wanted = expected.flatMap(([id, subscribers]) => (subscribers.length > 0 ? id : []));
  expect(new Set(await listWanted(store.db, events))).toEqual(new Set(wanted));
});

test('who wants a batch of events is one row for each webhook, however often it has changed', async () => {
  const { db } = store;
  const workspaceId = randomUUID();
  const { id } = await addHook(db, { workspaceId });
  await sql`
    ${acrossWorkspaces('a test')}
    insert into subscription (webhook_id, workspace_id, since, events, is_enveloped)
    select ${id}::uuid, ${workspaceId}::uuid, timestamptz '2026-01-01' + n * interval '1 second', array['InteractionCompleted'], false
    from generate_series(1, 900) as n`.execute(db);
  const events = Array.from({ length: 100 }, (_, at) => ({
    id: randomUUID(),
    workspaceId,
    name: 'InteractionCompleted' as const,
    raisedAt: new Date(startMs + 3_600_000 + at),
  }));
  const found = await loadSubscribers(db, events);
  expect(found.size).toBe(events.length);
  expect(new Set([...found.values()].flat()).size).toBe(1);
});
