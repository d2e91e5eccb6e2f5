import { booleans, byteStrings, floats, instants, integers, texts, uuids } from '@parley/postgres/arrays';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { AttemptResult } from '../sending/attempt.ts';
import type { Claimed } from './claim-store.ts';
import { deactivateGone, endOpen } from './end-store.ts';
import { insertFinished } from './finished-sql.ts';
import { isPromptResult, isUnanswered, type LaneAfter } from './lane-health.ts';
import { releaseNext } from './ordering-store.ts';
import { addToHour, countInLane, tally } from './settle-lanes-sql.ts';
import { pauseMsOf, type Verdict } from './verdict.ts';

type Db = Kysely<Tables>;

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
 * Records outcomes in one statement: each delivery is finished or put off, its attempt gets a row, and its lane counts it.
 * What was ended meanwhile, because its webhook was deactivated or deleted, stays ended, unless it turns out to have
 * succeeded. A receiver that is gone deactivates its webhook in the same transaction; so does what waited for one of
 * these become due.
 */
export async function settle(db: Db, outcomes: readonly Outcome[]): Promise<Settled> {
  const gone = outcomes.filter(({ verdict }) => verdict.state === 'failed' && verdict.isGone);
  const ordered = outcomes.flatMap(({ delivery: { orderingKey, ...delivery }, verdict }) =>
    orderingKey === null || verdict.state === 'pending' ? [] : [{ ...delivery, orderingKey }],
  );
  if (gone.length === 0 && ordered.length === 0) return write(db, outcomes);
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
    if (ordered.length === 0) return settled;
    const released = await releaseNext(trx, ordered);
    const lanes = settled.lanes.map((lane) => ({
      ...lane,
      isReady: lane.isReady || released.has(lane.webhookId),
    }));
    return { ...settled, lanes };
  });
}

async function write(db: Db, outcomes: readonly Outcome[]): Promise<Settled> {
  const deliveries = outcomes.map(({ delivery }) => delivery);
  const workspaceIds = uuids(deliveries.map((delivery) => delivery.workspaceId));
  const pausesMs = outcomes.map(({ verdict }) => pauseMsOf(verdict));
  const attempts = outcomes.map(({ result }, at) => (pausesMs[at] === null ? result : null));
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
        ${booleans(attempts.map((result) => result !== null))}::boolean[],
        ${booleans(attempts.map((result) => result !== null && isUnanswered(result)))}::boolean[],
        ${booleans(attempts.map((result) => result !== null && isPromptResult(result)))}::boolean[],
        ${instants(attempts.map((result) => result?.startedAt ?? null))}::timestamptz[],
        ${integers(attempts.map((result) => result?.durationMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.dnsMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.connectMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.tlsMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.latency.firstByteMs ?? null))}::int[],
        ${integers(attempts.map((result) => result?.status ?? null))}::int[],
        ${texts(attempts.map((result) => result?.error ?? null))}::text[],
        ${byteStrings(attempts.map((result) => (result && result.excerpt.length > 0 ? result.excerpt : null)))}::bytea[]
      ) as outcome (id, workspace_id, webhook_id, lease_token, is_probe, verdict, delay_ms, pause_ms, is_attempt,
        is_unanswered, is_prompt, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status, error,
        excerpt)
    ), locked as materialized (
      select lane.webhook_id, lane.workspace_id from lane
      where lane.workspace_id = any(${workspaceIds}::uuid[])
        and lane.webhook_id = any(array(select outcome.webhook_id from outcome))
      order by lane.webhook_id for update
    ), held as materialized (
      select open_delivery.* from locked
      join outcome on outcome.webhook_id = locked.webhook_id and outcome.workspace_id = locked.workspace_id
      join open_delivery on open_delivery.id = outcome.id and open_delivery.workspace_id = outcome.workspace_id
      where open_delivery.lease_token = outcome.lease_token
      order by open_delivery.id for update of open_delivery
    ), settled as materialized (
      select held.id, held.workspace_id, held.webhook_id, held.event_id, held.is_redacted, held.created_at,
        held.lease_token,
        held.attempts + outcome.is_attempt::int as attempts,
        case when outcome.verdict = 'succeeded' or held.state = 'pending' then outcome.verdict else held.state end
          as state,
        now() + outcome.delay_ms * interval '1 millisecond' as due_at,
        outcome.is_probe, outcome.pause_ms, outcome.is_attempt, outcome.is_unanswered, outcome.is_prompt,
        outcome.started_at, outcome.duration_ms, outcome.dns_ms, outcome.connect_ms, outcome.tls_ms,
        outcome.first_byte_ms, outcome.status, outcome.error,
        case when held.is_redacted then null else outcome.excerpt end as excerpt
      from held join outcome on outcome.id = held.id and outcome.lease_token = held.lease_token
    ), put_off as (
      -- With its state: what is seen of the row may be from before its webhook was activated, and would be no valid row.
      update open_delivery set state = 'pending', attempts = settled.attempts, due_at = settled.due_at,
        lease_token = null, lease_end = null
      from settled
      where open_delivery.id = settled.id and open_delivery.workspace_id = settled.workspace_id
        and settled.state = 'pending'
    ), removed as (
      delete from open_delivery
      where open_delivery.id = any(array(select settled.id from settled where settled.state <> 'pending'))
        and open_delivery.workspace_id = any(${workspaceIds}::uuid[])
    ), finished as (${insertFinished(sql`settled where state <> 'pending'`)}
    ), logged as (
      insert into attempt (delivery_id, number, workspace_id, started_at, duration_ms, dns_ms, connect_ms, tls_ms,
        first_byte_ms, status, error, response_excerpt)
      select id, attempts, workspace_id, started_at, duration_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, status,
        error, excerpt
      from settled where is_attempt
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
