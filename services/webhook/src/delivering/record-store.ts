import { booleans, byteStrings, instants, integers, texts, uuids } from '@parley/postgres/arrays';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import { deactivateGone, endOpen } from '../deliveries/end-store.ts';
import { attemptColumns, attemptNumber, insertFinishedByAttempt } from '../deliveries/finished-sql.ts';
import { lockLanes, releaseNext } from '../deliveries/ordering-store.ts';
import { shardOf } from '../rules/shard.ts';
import type { Tables, WebhookKey } from '../schema.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import { freePausesMs, pauseMsOf, type Verdict } from '../rules/verdict.ts';

type Db = Kysely<Tables>;

/** So many of the answers to a delivery that paused its webhook are kept: a receiver may give one each second, for days. */
const loggedPausesMax = 10;
const dayMs = 24 * 60 * 60 * 1_000;
/** So many deliveries are ended with the one that was answered with 410. */
const goneRowsMax = 1_000;

/** What became of a delivery whose attempt is over. */
export interface Outcome extends WebhookKey {
  id: string;
  orderingKey: string | null;
  /** From 1: what is recorded once is not recorded again. */
  attempt: number;
  /** The epoch in which the attempt was started. */
  epoch: number;
  verdict: Verdict;
  /** When it is due again, by the database clock; null unless the verdict is `pending`. */
  dueAtMs: number | null;
  /** Null when nothing was sent, for a reason of ours: no attempt is counted. */
  result: AttemptResult | null;
}

/**
 * Records outcomes: each delivery is finished with its last attempt, or rescheduled with a row for the attempt. Successes
 * are recorded whoever owns the lane, since the receiver has them; all else only in the epoch of its attempt, or while
 * the delivery is held by this replica. In the same transaction a receiver that is gone deactivates its webhook, what
 * waited for one of these is released, and of the answers that pause a webhook the oldest leave the log. Returns the
 * ids of those that were not recorded.
 */
export async function recordOutcomes(
  db: Db,
  replicaId: string,
  outcomes: readonly Outcome[],
): Promise<Set<string>> {
  const gone = outcomes.filter(({ verdict }) => verdict.state === 'failed' && verdict.isGone);
  const ordered = outcomes.filter(({ orderingKey, dueAtMs }) => orderingKey !== null && dueAtMs === null);
  const paused = outcomes.filter(({ verdict }) => pauseMsOf(verdict) !== null);
  const isPlain = gone.length + ordered.length + paused.length === 0;
  const { late, ended } = isPlain
    ? await write(db, replicaId, outcomes)
    : await db.transaction().execute(async (trx) => {
        const deactivated = gone.length > 0 ? await deactivateGone(trx, gone) : [];
        if (ordered.length > 0) await lockLanes(trx, ordered);
        const written = await write(trx, replicaId, outcomes);
        // The owner ends the rest: results of others wait for this transaction.
        if (deactivated.length > 0) await endOpen(trx, deactivated, 'skipped', goneRowsMax);
        if (paused.length > 0) await dropOldPauses(trx, paused);
        if (ordered.length > 0) await releaseNext(trx, ordered);
        return written;
      });
  const released = new Set(ordered.map(({ id }) => id));
  const unreleased = ended.filter(({ id }) => !released.has(id));
  if (unreleased.length > 0) {
    await db.transaction().execute(async (trx) => {
      await lockLanes(trx, unreleased);
      await releaseNext(trx, unreleased);
    });
  }
  return late;
}

/** The columns of an attempt, one parameter each. */
function attemptArrays(results: readonly (AttemptResult | null)[]) {
  return sql`
        ${instants(results.map((result) => result?.startedAt ?? null))}::timestamptz[],
        ${integers(results.map((result) => result?.durationMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.dnsMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.connectMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.tlsMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.firstByteMs ?? null))}::int[],
        ${integers(results.map((result) => result?.status ?? null))}::int[],
        ${texts(results.map((result) => result?.error ?? null))}::text[],
        ${byteStrings(results.map((result) => (result && result.excerpt.length > 0 ? result.excerpt : null)))}::bytea[]`;
}

const attemptNames = sql`started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status, error, response_excerpt`;

/** What is known of the attempt, for the log. Excerpts of answers to what was redacted are not kept. */
const loggedAttempt = sql`outcome.started_at, outcome.duration_ms, outcome.dns_ms, outcome.connect_ms, outcome.tls_ms,
        outcome.first_byte_ms, outcome.status, outcome.error,
        case when not open_delivery.is_redacted then outcome.response_excerpt end as response_excerpt, outcome.pause_ms`;

/** What was written. */
interface Written {
  /** The ids of those that were not recorded. */
  late: Set<string>;
  /** Finished deliveries that had an ordering key: reopening one in flight may have given it one. */
  ended: Outcome[];
}

async function write(db: Db, replicaId: string, given: readonly Outcome[]): Promise<Written> {
  // Rows are locked in the order of their ids, as by all others who lock several: else there are deadlocks.
  const outcomes = given.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const ids = uuids(outcomes.map(({ id }) => id));
  const pausesMs = outcomes.map(({ verdict }) => pauseMsOf(verdict));
  // One that finishes some and reschedules others locks all of them first.
  const isMixed = new Set(outcomes.map(({ dueAtMs }) => dueAtMs === null)).size > 1;
  const locked = sql`locked as materialized (
      select id from open_delivery where id = any(${ids}::uuid[]) order by id for update
    ),`;
  const rowIds = isMixed ? sql`array(select locked.id from locked)` : sql`${ids}::uuid[]`;
  const isRow = sql`open_delivery.id = any(${rowIds}) and open_delivery.id = outcome.id
        and open_delivery.workspace_id = outcome.workspace_id`;
  const isFenced = sql`(outcome.is_owner or open_delivery.held_by = ${replicaId})
        and open_delivery.attempts = outcome.attempt - 1`;
  const { rows } = await sql<{ id: string; orderingKey: string | null }>`
    ${acrossWorkspaces('owners record the results of all workspaces')}
    with ${isMixed ? locked : sql``} outcome as materialized (
      select given.*, exists (
        select from shard where shard.id = given.shard and shard.epoch = given.epoch and shard.owner = ${replicaId}
      ) as is_owner
      from unnest(
        ${ids}::uuid[],
        ${uuids(outcomes.map(({ workspaceId }) => workspaceId))}::uuid[],
        ${integers(outcomes.map(({ webhookId }) => shardOf(webhookId)))}::int[],
        ${integers(outcomes.map(({ epoch }) => epoch))}::int[],
        ${integers(outcomes.map(({ attempt }) => attempt))}::int[],
        ${texts(outcomes.map(({ verdict }) => verdict.state))}::text[],
        ${instants(outcomes.map(({ dueAtMs }) => (dueAtMs === null ? null : new Date(dueAtMs))))}::timestamptz[],
        ${booleans(outcomes.map(({ result }, at) => result !== null && pausesMs[at] === null))}::boolean[],
        ${integers(pausesMs.map((ms) => (ms === null ? null : Math.round(ms))))}::int[],
        ${attemptArrays(outcomes.map(({ result }) => result))}
      ) as given (id, workspace_id, shard, epoch, attempt, verdict, due_at, is_attempt, pause_ms, ${attemptNames})
    ), ended as (
      delete from open_delivery using outcome
      where ${isRow} and outcome.verdict <> 'pending' and (outcome.verdict = 'succeeded' or ${isFenced})
      returning open_delivery.id, open_delivery.workspace_id, open_delivery.webhook_id, open_delivery.event_id,
        open_delivery.attempts + outcome.is_attempt::int as attempts, open_delivery.is_redacted,
        open_delivery.created_at, open_delivery.ordering_key, outcome.verdict as state, ${loggedAttempt}
    ), finished as (${insertFinishedByAttempt(sql`ended`)}
    ), rescheduled as (
      update open_delivery set attempts = open_delivery.attempts + outcome.is_attempt::int, due_at = outcome.due_at,
        held_by = null
      from outcome where ${isRow} and outcome.verdict = 'pending' and ${isFenced}
      returning open_delivery.id, open_delivery.workspace_id, open_delivery.attempts, ${loggedAttempt}
    ), logged as (
      insert into attempt (delivery_id, number, workspace_id, ${attemptColumns})
      select id, ${attemptNumber}, workspace_id, ${attemptColumns} from rescheduled where started_at is not null
    )
    select id, ordering_key from ended union all select id, null from rescheduled`.execute(db);
  const recorded = new Map(rows.map(({ id, orderingKey }) => [id, orderingKey]));
  return {
    late: new Set(outcomes.flatMap(({ id }) => (recorded.has(id) ? [] : [id]))),
    ended: outcomes.flatMap((outcome) => {
      const orderingKey = recorded.get(outcome.id) ?? null;
      return orderingKey === null ? [] : [{ ...outcome, orderingKey }];
    }),
  };
}

/**
 * Adds the attempts of outcomes that `recordOutcomes` did not record to deliveries that were ended with their webhook
 * meanwhile. One that succeeded has succeeded all the same.
 */
export async function recordLate(db: Db, late: readonly Outcome[]): Promise<void> {
  const outcomes = late.filter(({ verdict, result }) => result && pauseMsOf(verdict) === null);
  if (outcomes.length === 0) return;
  await sql`
    update finished_delivery set attempts = attempts + 1,
      state = case when late.error is null then 'succeeded' else finished_delivery.state end, started_at = late.started_at,
      duration_ms = late.duration_ms, dns_ms = late.dns_ms, connect_ms = late.connect_ms, tls_ms = late.tls_ms,
      first_byte_ms = late.first_byte_ms, status = late.status, error = late.error,
      response_excerpt = case when not finished_delivery.is_redacted then late.response_excerpt end
    from unnest(
      ${uuids(outcomes.map(({ id }) => id))}::uuid[],
      ${uuids(outcomes.map(({ workspaceId }) => workspaceId))}::uuid[],
      ${uuids(outcomes.map(({ webhookId }) => webhookId))}::uuid[],
      ${attemptArrays(outcomes.map(({ result }) => result))}
    ) as late (id, workspace_id, webhook_id, ${attemptNames})
    where finished_delivery.workspace_id = any(${uuids(outcomes.map(({ workspaceId }) => workspaceId))}::uuid[])
      and finished_delivery.workspace_id = late.workspace_id and finished_delivery.webhook_id = late.webhook_id
      and finished_delivery.id = late.id and finished_delivery.state in ('skipped', 'discarded')
      and finished_delivery.started_at is null and finished_at > now() - interval '1 day'`.execute(db);
}

/** Leaves the newest answers that paused a webhook in the log of each delivery. */
async function dropOldPauses(db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const ids = uuids(outcomes.map(({ id }) => id));
  const workspaceIds = uuids(outcomes.map(({ workspaceId }) => workspaceId));
  // All of them are from the days in which pauses cost no attempt: other partitions are passed over.
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
