import { type Columns, tableOf, uuids } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { reads } from '@parley/postgres/sql/dialect';
import { sql } from 'kysely';
import { deactivateGone, endOpen } from '../deliveries/end-store.ts';
import {
  attemptColumns,
  attemptNumber,
  insertFinishedByAttempt,
  resultColumns,
} from '../deliveries/finished-sql.ts';
import { lockLanes, releaseNext } from '../deliveries/ordering.ts';
import { freePausesMs, type NextState, pauseMsOf } from '../scheduling/attempts/next-state.ts';
import { shardOf } from '../scheduling/shard.ts';
import type { Db, WebhookKey } from '../schema.ts';
import type { AttemptResult } from '../sending/attempt.ts';

/** How many pauses of a delivery are logged: a receiver can ask for one each second, for days. */
const loggedPausesMax = 10;
const dayMs = 24 * 60 * 60 * 1_000;
/** How many deliveries are ended in the transaction of a 410. */
const goneRowsMax = 1_000;

export interface Outcome extends WebhookKey {
  id: string;
  orderingKey: string | null;
  /** From 1. Each attempt is recorded at most once. */
  attempt: number;
  /** The epoch in which the attempt was started. */
  epoch: number;
  next: NextState;
  /** Whether a call has asked for the attempt before its time. */
  isManual: boolean;
  /** When it is due again, by the database clock; null if the delivery has ended. */
  dueAtMs: number | null;
  /** Null if nothing was sent because of a fault on our side. No attempt is counted. */
  result: AttemptResult | null;
}

/**
 * Records outcomes: finishes each delivery with its last attempt, or reschedules it and logs the attempt. Records a
 * success always, since the receiver has the event. Records anything else only in the epoch of the attempt, or if this
 * replica has claimed the delivery. The same transaction deactivates webhooks that are gone (410), releases the next
 * deliveries in order, and drops the oldest pauses from the log. Returns the ids of outcomes that were not recorded.
 */
export async function recordOutcomes(
  db: Db,
  replicaId: string,
  outcomes: readonly Outcome[],
): Promise<Set<string>> {
  const gone = outcomes.filter(({ next }) => next.state === 'failed' && next.isGone);
  const ordered = outcomes.filter(({ orderingKey, dueAtMs }) => orderingKey !== null && dueAtMs === null);
  const paused = outcomes.filter(({ next }) => pauseMsOf(next) !== null);
  const isPlain = gone.length + ordered.length + paused.length === 0;
  const recorded = isPlain
    ? await write(db, replicaId, outcomes)
    : await db.transaction().execute(async (trx) => {
        const deactivated = gone.length > 0 ? await deactivateGone(trx, gone) : [];
        if (ordered.length > 0) await lockLanes(trx, ordered);
        const written = await write(trx, replicaId, outcomes);
        // The lane's owner ends the rest: other results wait for this transaction. It ends all if one of the outcomes
        // is not recorded yet.
        const isWhole = written.size === outcomes.length;
        if (isWhole && deactivated.length > 0) await endOpen(trx, deactivated, 'skipped', goneRowsMax);
        if (paused.length > 0) await dropOldPauses(trx, paused);
        if (ordered.length > 0) await releaseNext(trx, ordered);
        return written;
      });
  const unrecorded = outcomes.filter(({ id }) => !recorded.has(id));
  const reopened = await withNewKeys(db, unrecorded);
  const late = reopened.length > 0 ? await recordOutcomes(db, replicaId, reopened) : new Set<string>();
  const reopenedIds = new Set(reopened.map(({ id }) => id));
  return new Set(unrecorded.flatMap(({ id }) => (reopenedIds.has(id) && !late.has(id) ? [] : [id])));
}

/**
 * Returns the last outcomes of deliveries that were reopened with another ordering key during the attempt, with that
 * key. `write` skips them: to release the next delivery of the key, the lane must be locked first.
 */
async function withNewKeys(db: Db, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const last = outcomes.filter(({ dueAtMs }) => dueAtMs === null);
  if (last.length === 0) return [];
  const { rows } = await sql<{ id: string; orderingKey: string }>`
    select id, ordering_key from open_delivery
    where workspace_id = any(${uuids(last.map(({ workspaceId }) => workspaceId))}::uuid[])
      and id = any(${uuids(last.map(({ id }) => id))}::uuid[]) and ordering_key is not null`.execute(
    reads(db),
  );
  const keys = new Map(rows.map(({ id, orderingKey }) => [id, orderingKey]));
  return last.flatMap((outcome) => {
    const orderingKey = keys.get(outcome.id);
    return orderingKey === undefined || orderingKey === outcome.orderingKey
      ? []
      : [{ ...outcome, orderingKey }];
  });
}

const attemptOf: Columns<Outcome> = {
  startedAt: ['timestamptz', ({ result }) => result?.startedAt ?? null],
  durationMs: ['int', ({ result }) => result?.durationMs ?? null],
  dnsMs: ['int', ({ result }) => result?.latency.dnsMs ?? null],
  connectMs: ['int', ({ result }) => result?.latency.connectMs ?? null],
  tlsMs: ['int', ({ result }) => result?.latency.tlsMs ?? null],
  firstByteMs: ['int', ({ result }) => result?.latency.firstByteMs ?? null],
  status: ['int', ({ result }) => result?.status ?? null],
  error: ['text', ({ result }) => result?.error ?? null],
  excerpt: ['bytea', ({ result }) => (result?.excerpt.length ? result.excerpt : null)],
  pauseMs: ['int', ({ next }) => pauseMsOf(next)],
};

/** The attempt, for the log. Excerpts about redacted bodies are not stored. */
const loggedAttempt = sql`${resultColumns}, case when not is_redacted then excerpt end as response_excerpt, pause_ms`;

/** Returns the ids of recorded outcomes. */
async function write(db: Db, replicaId: string, unsorted: readonly Outcome[]): Promise<Set<string>> {
  // Every statement locks rows in the order of their ids, which avoids deadlocks.
  const outcomes = unsorted.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const ids = uuids(outcomes.map(({ id }) => id));
  // A statement that finishes some and reschedules others locks all of them first.
  const isMixed = new Set(outcomes.map(({ dueAtMs }) => dueAtMs === null)).size > 1;
  const locked = sql`locked as materialized (
      select id from open_delivery where id = any(${ids}::uuid[]) order by id for update
    ),`;
  const rowIds = isMixed ? sql`array(select locked.id from locked)` : sql`${ids}::uuid[]`;
  const isRow = sql`open_delivery.id = any(${rowIds}) and open_delivery.id = outcome.id
        and open_delivery.workspace_id = outcome.workspace_id`;
  const isFenced = sql`(outcome.is_owner or open_delivery.claimed_by = ${replicaId})
        and open_delivery.attempts = outcome.attempt - 1`;
  // A removed ordering sets the key to null. Nothing waits then.
  const isSameKey = sql`(open_delivery.ordering_key is null
        or open_delivery.ordering_key = outcome.ordering_key)`;
  const given = tableOf('given', outcomes, {
    id: ['uuid', ({ id }) => id],
    workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
    orderingKey: ['text', ({ orderingKey }) => orderingKey],
    shard: ['int', ({ webhookId }) => shardOf(webhookId)],
    epoch: ['int', ({ epoch }) => epoch],
    attempt: ['int', ({ attempt }) => attempt],
    next: ['text', ({ next }) => next.state],
    dueAt: ['timestamptz', ({ dueAtMs }) => (dueAtMs === null ? null : new Date(dueAtMs))],
    isAttempt: ['boolean', ({ result, next }) => result !== null && pauseMsOf(next) === null],
    isManual: ['boolean', ({ isManual }) => isManual],
    ...attemptOf,
  });
  const { rows } = await sql<{ id: string }>`
    ${acrossWorkspaces('owners record the results of all workspaces')}
    with ${isMixed ? locked : sql``} outcome as materialized (
      select given.*, exists (
        select from shard where shard.id = given.shard and shard.epoch = given.epoch and shard.owner = ${replicaId}
      ) as is_owner
      from ${given}
    ), ended as (
      delete from open_delivery using outcome
      where ${isRow} and outcome.due_at is null and ${isSameKey}
        and (outcome.next = 'succeeded' or ${isFenced})
      returning open_delivery.id, open_delivery.workspace_id, webhook_id, event_id,
        attempts + is_attempt::int as attempts,
        manual_attempts + (is_attempt and is_manual)::int as manual_attempts, is_redacted, is_enveloped, created_at, next as state, ${loggedAttempt}
    ), finished as (${insertFinishedByAttempt(sql`ended`)}
    ), rescheduled as (
      update open_delivery set attempts = attempts + is_attempt::int, due_at = outcome.due_at,
        claimed_by = null, planned_at = case when is_attempt then null else planned_at end,
        manual_attempts = manual_attempts + (is_attempt and is_manual)::int
      from outcome where ${isRow} and outcome.due_at is not null and ${isFenced}
      returning open_delivery.id, open_delivery.workspace_id, attempts, ${loggedAttempt}
    ), logged as (
      insert into attempt (delivery_id, number, workspace_id, ${attemptColumns})
      select id, ${attemptNumber}, workspace_id, ${attemptColumns} from rescheduled where started_at is not null
    )
    select id from ended union all select id from rescheduled`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Adds the attempts of outcomes that `recordOutcomes` did not record to deliveries that were skipped or discarded
 * during the attempt. If the attempt succeeded, the delivery becomes succeeded.
 */
export async function recordLate(db: Db, late: readonly Outcome[]): Promise<void> {
  const outcomes = late.filter(({ next, result }) => result && pauseMsOf(next) === null);
  if (outcomes.length === 0) return;
  const given = tableOf('given', outcomes, {
    id: ['uuid', ({ id }) => id],
    workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
    webhookId: ['uuid', ({ webhookId }) => webhookId],
    ...attemptOf,
  });
  await sql`
    with late as (select * from ${given})
    update finished_delivery set attempts = attempts + 1,
      state = case when late.error is null then 'succeeded' else finished_delivery.state end,
      (${attemptColumns}) = (select ${loggedAttempt} from late as same where same.id = finished_delivery.id)
    from late
    where finished_delivery.workspace_id = any(${uuids(outcomes.map(({ workspaceId }) => workspaceId))}::uuid[])
      and finished_delivery.workspace_id = late.workspace_id and finished_delivery.webhook_id = late.webhook_id
      and finished_delivery.id = late.id and finished_delivery.state in ('skipped', 'discarded')
      and finished_delivery.started_at is null and finished_at > now() - interval '1 day'`.execute(db);
}

/** Deletes all but the newest pauses of each delivery from the log. */
async function dropOldPauses(db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const ids = uuids(outcomes.map(({ id }) => id));
  const workspaceIds = uuids(outcomes.map(({ workspaceId }) => workspaceId));
  // Pauses are only logged in a delivery's first days, so other partitions can be skipped.
  const isPause = (of: string) => sql<boolean>`
      ${sql.ref(`${of}.workspaceId`)} = any(${workspaceIds}::uuid[]) and ${sql.ref(`${of}.pauseMs`)} is not null
        and ${sql.ref(`${of}.recordedAt`)} > now() - ${sql.lit(freePausesMs + dayMs)} * interval '1 millisecond'
        and ${sql.ref(`${of}.recordedAt`)} <= now()`;
  await sql`
    delete from attempt
    where delivery_id = any(${ids}::uuid[]) and ${isPause('attempt')} and recorded_at <= (
      select newer.recorded_at from attempt as newer
      where newer.delivery_id = attempt.delivery_id and ${isPause('newer')}
      order by newer.recorded_at desc limit 1 offset ${sql.lit(loggedPausesMax)})`.execute(db);
}
