import { randomUUID } from 'node:crypto';
import type { Take } from '@parley/events/consumer';
import { inboxOf } from '@parley/events/inbox';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { quietLogger as logger } from '@parley/testing/quiet';
import type { Kysely, Updateable } from 'kysely';
import { type Due, readDue } from '../../src/dispatch/due-store.ts';
import { type Outcome, recordLate, recordOutcomes } from '../../src/dispatch/record-store.ts';
import { type IncomingEvent, storeEventsAndDeliveries } from '../../src/intake/event-store.ts';
import { migrations } from '../../src/migrations/index.ts';
import { assign, beat } from '../../src/ownership/shard-store.ts';
import { shardOf } from '../../src/scheduling/shard.ts';
import type { LaneTable, Tables } from '../../src/schema.ts';
import type { AttemptResult } from '../../src/sending/attempt.ts';
import { changeOptions, type OptionsChange } from '../../src/webhooks/options-store.ts';
import { insertWebhook, type SealedSecret } from '../../src/webhooks/store.ts';

/** The service's database without a replica that delivers. */
export interface Store extends AsyncDisposable {
  db: Kysely<Tables>;
  url: string;
  testUrl: string;
  adminUrl: string;
}

export async function createStore(): Promise<Store> {
  await using starting = new AsyncDisposableStack();
  const { url, testUrl, adminUrl } = starting.use(await createDatabase('webhook', migrations));
  const { db } = starting.use(openDatabase<Tables>({ url, logger, plansOnce: true }));
  const stack = starting.move();
  return { db, url, testUrl, adminUrl, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

export interface Hook {
  workspaceId: string;
  id: string;
}

/** Adds an active webhook, by default in its own workspace, with the given lane. */
export async function addHook(
  db: Kysely<Tables>,
  { workspaceId = randomUUID(), ...lane }: Updateable<LaneTable> = {},
): Promise<Hook> {
  const id = randomUUID();
  await insertWebhook(db, {
    id,
    workspaceId,
    url: 'http://127.0.0.1:9/',
    isActive: true,
    events: ['InteractionCompleted'],
    secretToken: '-',
    signingSecret: { id: randomUUID(), secret: '-' },
  });
  const hook = { workspaceId, id };
  if (Object.keys(lane).length > 0) await setLane(db, hook, lane);
  return hook;
}

export async function setLane(db: Kysely<Tables>, hook: Hook, lane: Updateable<LaneTable>): Promise<void> {
  const { workspaceId, id } = hook;
  await db
    .updateTable('lane')
    .set(lane)
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .execute();
}

export async function laneOf(db: Kysely<Tables>, { workspaceId, id }: Hook) {
  return db
    .selectFrom('lane')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
}

export async function setOptions(
  db: Kysely<Tables>,
  hook: Hook,
  change: Partial<OptionsChange>,
  privateKey: SealedSecret = { id: randomUUID(), secret: '-' },
): Promise<void> {
  await changeOptions(db, hook, privateKey, async () => change);
}

/** An event that has just arrived. */
export const incoming = ({ workspaceId }: Pick<Hook, 'workspaceId'>): IncomingEvent => ({
  id: randomUUID(),
  workspaceId,
  name: 'InteractionCompleted',
  interactionId: randomUUID(),
  customerId: 'c-1',
  status: 'Completed',
  extra: {},
  interaction: Buffer.from('{}'),
  result: Buffer.from('{}'),
  traceparent: null,
  raisedAt: new Date(),
  customerVersion: 0,
  redactedVersion: 0,
  decisions: [],
});

export async function storeEvents(db: Kysely<Tables>, events: readonly IncomingEvent[]): Promise<void> {
  const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))];
  const webhooks = await db
    .selectFrom('webhook')
    .where('workspaceId', 'in', workspaceIds)
    .where('deletedAt', 'is', null)
    .select(['id', 'workspaceId'])
    .execute();
  const decided = events.map((event) => {
    const own = webhooks.filter(({ workspaceId }) => workspaceId === event.workspaceId);
    return {
      ...event,
      decisions: own.map(({ id }) => ({ webhookId: id, isEnveloped: false, outcome: 'sent' as const })),
    };
  });
  const inbox = inboxOf(db, 'webhook');
  const take: Take = (trx, ids = []) => inbox.take(trx, ids);
  await storeEventsAndDeliveries(db, decided, { take });
}

/** Stores this many events of the webhook's workspace, by default about one customer, at once. Returns their ids. */
export async function addEvents(
  db: Kysely<Tables>,
  hook: Hook,
  number: number,
  of: Partial<IncomingEvent> = {},
): Promise<string[]> {
  const raisedAt = new Date();
  const events = Array.from({ length: number }, () => ({ ...incoming(hook), raisedAt, ...of }));
  if (number > 0) await storeEvents(db, events);
  return events.map((event) => event.id);
}

/** A replica that owns all shards, without delivering. */
export interface Owner {
  replicaId: string;
  epochOf(webhookId: string): number;
}

/** Makes a new replica the owner of all shards. */
export async function ownAll(db: Kysely<Tables>): Promise<Owner> {
  const replicaId = randomUUID();
  const beating = { isLeaving: false, nowMs: Date.now() };
  await beat(db, replicaId, beating);
  const { shards } = await beat(db, replicaId, beating);
  const change = { owner: replicaId, from: shards[0]?.owner ?? replicaId, nowMs: Date.now() };
  const epochs = new Map((await assign(db, shards, change)).map(({ id, epoch }) => [id, epoch]));
  return { replicaId, epochOf: (webhookId) => epochs.get(shardOf(webhookId)) ?? -1 };
}

export type Read = Due & { workspaceId: string };

/** Reads the due deliveries of these webhooks, as their owner does. */
export async function due(db: Kysely<Tables>, hooks: readonly Hook[], number = 100): Promise<Read[]> {
  const wanted = hooks.map(({ id }) => ({ webhookId: id, number }));
  const read = await readDue(db, wanted, { nowMs: Date.now() + 1_000, inFlight: [] });
  const workspaceIds = new Map(hooks.map(({ id, workspaceId }) => [id, workspaceId]));
  return read.map((one) => ({ ...one, workspaceId: workspaceIds.get(one.webhookId) ?? '' }));
}

/** Returns the result of an attempt; default: a success within a millisecond. */
export function result(of: Partial<AttemptResult> = {}): AttemptResult {
  return {
    startedAt: new Date(),
    durationMs: 1,
    latency: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    status: 200,
    error: null,
    retryAfter: null,
    excerpt: Buffer.of(),
    isCut: false,
    ...of,
  };
}

export const refused = result({ status: 500, error: 'http_500' });

/** Returns the outcome of a retry after this time. */
export const retryIn = (delayMs: number) => ({
  next: { state: 'retry' as const, delayMs },
});

/** Returns the outcome of a receiver that pauses its webhook for this time. */
export const pauseFor = (delayMs: number) => ({
  next: { state: 'paused' as const, delayMs },
});

/** Returns the outcome of a result; a failure is due again after an hour by default. */
export function outcome(
  owner: Owner,
  {
    id,
    webhookId,
    workspaceId,
    orderingKey,
    attempt,
  }: Pick<Read, 'id' | 'webhookId' | 'workspaceId' | 'orderingKey' | 'attempt'>,
  of: AttemptResult | null = result(),
  more: Partial<Outcome> = {},
): Outcome {
  const byResult = of && of.error === null ? { next: { state: 'succeeded' as const } } : retryIn(3_600_000);
  const next = more.next ?? byResult.next;
  const dueAtMs = 'delayMs' in next ? Date.now() + next.delayMs : null;
  const epoch = owner.epochOf(webhookId);
  const ids = { id, webhookId, workspaceId, orderingKey };
  return { ...ids, attempt, epoch, next, dueAtMs, isManual: false, result: of, ...more };
}

/** Records one outcome for all of them, as the recorder does. Returns the ids of outcomes that were too late. */
export async function recordAll(
  db: Kysely<Tables>,
  owner: Owner,
  read: readonly Read[],
  of: AttemptResult | null = result(),
  more: Partial<Outcome> = {},
): Promise<Set<string>> {
  const outcomes = read.map((one) => outcome(owner, one, of, more));
  const late = await recordOutcomes(db, owner.replicaId, outcomes);
  await recordLate(
    db,
    outcomes.filter(({ id }) => late.has(id)),
  );
  return late;
}
