import { booleans, byteStrings, floats, instants, integers, texts, uuids } from '@parley/postgres/arrays';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Claimed } from './claim-store.ts';
import { deactivateGone, endOpen } from './end-store.ts';
import { attemptColumns, attemptNumber, insertFinishedByAttempt } from './finished-sql.ts';
import { isPromptResult, isUnanswered, type LaneAfter } from './lane-health.ts';
import { releaseNext } from './ordering-store.ts';
import { addToHour, countInLane, tally } from './settle-lanes-sql.ts';
import { freePausesMs, pauseMsOf, type Verdict } from './verdict.ts';

type Db = Kysely<Tables>;

/**
 * So many of the answers to a delivery that paused its webhook are kept: a receiver may give one each second, for days.
 */
const loggedPausesMax = 10;
const dayMs = 24 * 60 * 60 * 1_000;

/** What became of a claimed delivery. */
export interface Outcome {
  delivery: Pick<Claimed, 'id' | 'workspaceId' | 'webhookId' | 'leaseToken' | 'isProbe' | 'orderingKey'>;
  verdict: Verdict;
  /** Null when nothing was sent, for a reason of ours: no attempt is counted. */
  result: AttemptResult | null;
}

/** What a batch of results has made of the lanes that it was about. */
export interface Settled {
  /** The deliveries whose results were not recorded: their leases had passed to others, or they are no more. */
  lateIds: string[];
  lanes: SettledLane[];
}

export interface SettledLane extends LaneAfter {
  webhookId: string;
  workspaceId: string;
  /** Something can be taken at once. */
  isReady: boolean;
}

/**
 * Records outcomes in one statement: each delivery is finished with its last attempt or put off, with a row for the attempt,
 * and its lane counts it.
 * What was ended meanwhile, because its webhook was deactivated or deleted, stays ended, unless it turns out to have
 * succeeded. In the same transaction a receiver that is gone deactivates its webhook, what waited for one of these
 * becomes due, and of the answers that pause a webhook the oldest leave the log.
 */
export async function settle(db: Db, outcomes: readonly Outcome[]): Promise<Settled> {
  const gone = outcomes.filter(({ verdict }) => verdict.state === 'failed' && verdict.isGone);
  const ordered = outcomes.flatMap(({ delivery: { orderingKey, ...delivery }, verdict }) =>
    orderingKey === null || verdict.state === 'pending' ? [] : [{ ...delivery, orderingKey }],
  );
  const paused = outcomes.flatMap(({ delivery, verdict }) => (pauseMsOf(verdict) === null ? [] : [delivery]));
  if (gone.length === 0 && ordered.length === 0 && paused.length === 0) return write(db, outcomes);
  return db.transaction().execute(async (trx) => {
    const deactivated =
      gone.length === 0
        ? []
        : await deactivateGone(
            trx,
            gone.map(({ delivery }) => delivery),
          );
    const settled = await write(trx, outcomes);
    if (deactivated.length > 0) await endOpen(trx, deactivated, 'skipped');
    if (paused.length > 0) await dropOldPauses(trx, paused);
    if (ordered.length === 0) return settled;
    const released = await releaseNext(trx, ordered);
    const lanes = settled.lanes.map((lane) => ({
      ...lane,
      isReady: lane.isReady || released.has(lane.webhookId),
    }));
    return { ...settled, lanes };
  });
}

/** Leaves the newest answers that paused a webhook in the log of each delivery. */
async function dropOldPauses(db: Db, deliveries: readonly Outcome['delivery'][]): Promise<void> {
  const ids = uuids(deliveries.map((delivery) => delivery.id));
  const workspaceIds = uuids(deliveries.map((delivery) => delivery.workspaceId));
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

/**
 * The row in which a delivery is for as long as its worker may record its result, and of an outcome in a lane that this
 * statement has locked: whoever changes what is under way has the lane.
 */
const isStillHeld = sql<boolean>`
        open_delivery.id = any(array(select outcome.id from outcome))
        and open_delivery.id = outcome.id and open_delivery.workspace_id = outcome.workspace_id
        and open_delivery.lease_token = outcome.lease_token
        and outcome.webhook_id = any(array(select locked.webhook_id from locked))`;

/** What is returned beside a delivery of its outcome, which a row of `source` has. */
function ofOutcome(source: 'outcome' | 'held') {
  const of = sql.ref(source);
  return sql`${of}.is_probe, ${of}.pause_ms, ${of}.is_attempt, ${of}.is_unanswered, ${of}.is_prompt, ${of}.started_at,
        ${of}.duration_ms, ${of}.dns_ms, ${of}.connect_ms, ${of}.tls_ms, ${of}.first_byte_ms, ${of}.status, ${of}.error,
        case when open_delivery.is_redacted then null else ${of}.response_excerpt end as response_excerpt`;
}

/** What lanes count. */
const columns = sql`id, lease_token, webhook_id, workspace_id, is_probe, pause_ms, is_attempt, is_unanswered, is_prompt,
        duration_ms, status, error`;

async function write(db: Db, outcomes: readonly Outcome[]): Promise<Settled> {
  const deliveries = outcomes.map(({ delivery }) => delivery);
  const workspaceIds = uuids(deliveries.map((delivery) => delivery.workspaceId));
  const pausesMs = outcomes.map(({ verdict }) => pauseMsOf(verdict));
  const results = outcomes.map(({ result }) => result);
  const { rows } = await sql<(SettledLane | { webhookId: null }) & { lateIds: string[] | null }>`
    with outcome as (
      select * from unnest(
        ${uuids(deliveries.map((delivery) => delivery.id))}::uuid[],
        ${workspaceIds}::uuid[],
        ${uuids(deliveries.map((delivery) => delivery.webhookId))}::uuid[],
        ${uuids(deliveries.map((delivery) => delivery.leaseToken))}::uuid[],
        ${booleans(deliveries.map((delivery) => delivery.isProbe))}::boolean[],
        ${texts(outcomes.map(({ verdict }) => verdict.state))}::text[],
        ${floats(outcomes.map(({ verdict }) => (verdict.state === 'pending' ? verdict.delayMs : 0)))}::float8[],
        ${floats(pausesMs)}::float8[],
        ${booleans(results.map((result, at) => result !== null && pausesMs[at] === null))}::boolean[],
        ${booleans(results.map((result) => result !== null && isUnanswered(result)))}::boolean[],
        ${booleans(results.map((result) => result !== null && isPromptResult(result)))}::boolean[],
        ${instants(results.map((result) => result?.startedAt ?? null))}::timestamptz[],
        ${integers(results.map((result) => result?.durationMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.dnsMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.connectMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.tlsMs ?? null))}::int[],
        ${integers(results.map((result) => result?.latency.firstByteMs ?? null))}::int[],
        ${integers(results.map((result) => result?.status ?? null))}::int[],
        ${texts(results.map((result) => result?.error ?? null))}::text[],
        ${byteStrings(results.map((result) => (result && result.excerpt.length > 0 ? result.excerpt : null)))}::bytea[]
      ) as outcome (id, workspace_id, webhook_id, lease_token, is_probe, verdict, delay_ms, pause_ms, is_attempt,
        is_unanswered, is_prompt, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status, error,
        response_excerpt)
    ), locked as materialized (
      select lane.webhook_id, lane.workspace_id from lane
      where lane.workspace_id = any(${workspaceIds}::uuid[])
        and lane.webhook_id = any(array(select outcome.webhook_id from outcome))
      order by lane.webhook_id for update
    ), held as materialized (
      -- Those to be tried again, unless they were ended meanwhile.
      select outcome.*, open_delivery.state
      from outcome join open_delivery on ${isStillHeld}
      where outcome.verdict = 'pending' for update of open_delivery
    ), ended as (
      delete from open_delivery using outcome
      where ${isStillHeld} and (outcome.verdict <> 'pending'
        or open_delivery.id = any(array(select held.id from held where held.state <> 'pending')))
      returning open_delivery.id, open_delivery.lease_token, open_delivery.workspace_id, open_delivery.webhook_id,
        open_delivery.event_id, open_delivery.attempts + outcome.is_attempt::int as attempts,
        open_delivery.is_redacted, open_delivery.created_at,
        case when outcome.verdict = 'succeeded' or open_delivery.state = 'pending' then outcome.verdict
          else open_delivery.state end as state,
        ${ofOutcome('outcome')}
    ), put_off as (
      -- With its state: what is seen of the row may be from before its webhook was activated, and would be no valid row.
      update open_delivery set state = 'pending', attempts = open_delivery.attempts + held.is_attempt::int,
        due_at = now() + held.delay_ms * interval '1 millisecond', lease_token = null, lease_end = null
      from held
      where open_delivery.id = any(array(select held.id from held)) and open_delivery.id = held.id
        and open_delivery.workspace_id = held.workspace_id
        and held.state = 'pending'
      returning open_delivery.id, held.lease_token, open_delivery.workspace_id, open_delivery.webhook_id,
        open_delivery.attempts, open_delivery.due_at,
        ${ofOutcome('held')}
    ), finished as (${insertFinishedByAttempt(sql`ended`)}
    ), logged as (
      insert into attempt (delivery_id, number, workspace_id, ${attemptColumns})
      select id, ${attemptNumber}, workspace_id, ${attemptColumns} from put_off where started_at is not null
    ), settled as materialized (
      select ${columns}, null::timestamptz as due_at from ended
      union all select ${columns}, due_at from put_off
    ), tally as (${tally}
    ), by_hour as (${addToHour}
    ), counted as (${countInLane}
    )
    select late.ids as late_ids, counted.* from (
      select array_agg(outcome.id) as ids from outcome
      where not exists (
        select from settled where settled.id = outcome.id and settled.lease_token = outcome.lease_token)
    ) as late left join counted on true`.execute(db);
  const lanes = rows.filter((row): row is SettledLane & (typeof rows)[number] => row.webhookId !== null);
  return { lateIds: rows[0]?.lateIds ?? [], lanes };
}
