import { randomUUID } from 'node:crypto';
import { migrate } from '@parley/postgres/migrate';
import { openDatabase } from '@parley/postgres/open';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { createDatabase } from '@parley/testing/database';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type Kysely, sql, type Updateable } from 'kysely';
import { type Claim, type Claimed, claimDue } from '../src/delivering/claim-store.ts';
import { giveBackLapsed } from '../src/delivering/lapse-store.ts';
import { type Outcome, type Settled, settle } from '../src/delivering/settle-store.ts';
import { type IncomingEvent, takeEvents } from '../src/intake/event-store.ts';
import { migrations } from '../src/migrations/index.ts';
import type { LaneTable, Tables } from '../src/schema.ts';
import type { AttemptResult } from '../src/sending/attempt.ts';
import { changeOptions, findOptions, type OptionsChange } from '../src/webhooks/options-store.ts';
import { insertWebhook } from '../src/webhooks/store.ts';

/** The service's database without anybody who delivers. */
export interface Store extends AsyncDisposable {
  db: Kysely<Tables>;
  url: string;
  adminUrl: string;
}

export async function createStore(): Promise<Store> {
  await using starting = new AsyncDisposableStack();
  const { url, adminUrl } = starting.use(await createDatabase('webhook'));
  await migrate({ url, logger }, migrations);
  const { db } = starting.use(openDatabase<Tables>({ url, logger, plansOnce: true }));
  const stack = starting.move();
  return { db, url, adminUrl, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

export interface Hook {
  workspaceId: string;
  id: string;
}

/**
 * An active webhook, of a workspace of its own unless one is given; its lane as given, and otherwise that of a receiver
 * that has answered, not promptly: four at once.
 */
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
    event: 'InteractionCompleted',
    secretToken: '-',
    secretTokenFingerprint: Buffer.from(id),
    signingSecret: { id: randomUUID(), secret: '-' },
  });
  const hook = { workspaceId, id };
  await setLane(db, hook, { isPrompt: false, inFlightMax: 4, ...lane });
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

/** Changes options of a webhook. */
export async function setOptions(
  db: Kysely<Tables>,
  hook: Hook,
  change: Partial<OptionsChange>,
): Promise<void> {
  const { version } = (await findOptions(db, hook.workspaceId, hook.id)) ?? { version: 0 };
  const privateKey = { id: randomUUID(), secret: '-' };
  if (!(await changeOptions(db, { ...hook, version }, { privateKey, ...change }))) {
    throw new Error('the webhook has changed meanwhile');
  }
}

/** An event that has just come. */
export const incoming = ({ workspaceId }: Pick<Hook, 'workspaceId'>): IncomingEvent => ({
  id: randomUUID(),
  workspaceId,
  customerId: 'c-1',
  body: Buffer.from('{}'),
  traceparent: null,
  completedAt: null,
});

/** Takes in so many events of the webhook's workspace, about one customer unless said otherwise; answers their ids. */
export async function addEvents(
  db: Kysely<Tables>,
  hook: Hook,
  number: number,
  of: Partial<IncomingEvent> = {},
): Promise<string[]> {
  const events = Array.from({ length: number }, () => ({ ...incoming(hook), ...of }));
  await takeEvents(db, events);
  return events.map((event) => event.id);
}

/** What a worker has room for that has all of its slots free. */
export const allFree = {
  leaseMs: 60_000,
  slots: 128,
  reserved: 0,
  slowSlots: 64,
  lanes: 64,
  hanging: [],
  held: new Map<string, number>(),
  workspaceSlots: 32,
  fewSlots: 8,
} satisfies Partial<Claim>;

/** Claims as a worker with all of its slots free does, unless said otherwise. */
export async function claim(db: Kysely<Tables>, of: Partial<Claim> = {}): Promise<Claimed[]> {
  // What dead workers had is given back, and the next claim follows at once.
  for (let again = 0; ; again += 1) {
    const { deliveries, isMore, lapsed } = await claimDue(db, {
      leaseToken: randomUUID(),
      ...allFree,
      ...of,
    });
    const given = lapsed.length > 0 ? await giveBackLapsed(db, lapsed, of.leaseMs ?? allFree.leaseMs) : 0;
    if (deliveries.length > 0 || !(isMore || given > 0) || again === 2) return deliveries;
  }
}

/** How many were claimed of which webhook. */
export function byHook(claimed: readonly Claimed[]): Record<string, number> {
  const groups = Map.groupBy(claimed, (delivery) => delivery.webhookId);
  return Object.fromEntries([...groups].map(([id, own]) => [id, own.length]));
}

/** How an attempt went: a success within a millisecond, unless said otherwise. */
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

export const unanswered = result({ status: null, error: 'timeout_total', durationMs: 20_000 });
export const refused = result({ status: 500, error: 'http_500' });

/** That it is tried again after so long. */
export const retryIn = (delayMs: number) => ({
  verdict: { state: 'pending' as const, delayMs, isPause: false },
});

/** That its receiver wants its whole webhook to wait for so long. */
export const pauseFor = (delayMs: number) => ({
  verdict: { state: 'pending' as const, delayMs, isPause: true },
});

/** The outcome that a result has, as far as the store sees it: what failed is tried again an hour later. */
export function outcome(
  delivery: Claimed,
  of: AttemptResult = result(),
  more: Partial<Outcome> = {},
): Outcome {
  const { verdict } = of.error === null ? { verdict: { state: 'succeeded' as const } } : retryIn(3_600_000);
  return { delivery, verdict, result: of, ...more };
}

/** Settles all of them alike. */
export function settleAll(
  db: Kysely<Tables>,
  claimed: readonly Claimed[],
  of: AttemptResult = result(),
  more: Partial<Outcome> = {},
): Promise<Settled> {
  return settle(
    db,
    claimed.map((delivery) => outcome(delivery, of, more)),
  );
}

const asTime = acrossWorkspaces('time goes by for all');

/** Ends all leases, as time would do. */
export async function endLeases(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`${asTime} update lane set ready_at = now(), lapses_at = case when under_way > 0 then now() end`.execute(
      trx,
    );
    await sql`${asTime} update open_delivery set lease_end = now() where lease_token is not null`.execute(
      trx,
    );
  });
}
