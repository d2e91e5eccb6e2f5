import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import type { Tables, WebhookKey } from '../schema.ts';
import { signingSecretsMax } from '../sending/signing.ts';
import { shardOf } from '../rules/shard.ts';
import type { DueLane } from '../rules/backlog.ts';
import type { HourTally, LaneState, Target } from '../rules/lane.ts';

type Db = Kysely<Tables>;

/** A lane as it is stored, of a webhook that is active. */
export interface StoredLane extends WebhookKey, Omit<LaneState, 'bucket'> {
  revision: number;
  target: Target;
  ratePerSecond: number | null;
  rateBurst: number | null;
  bucketFullAtMs: number | null;
}

const milliseconds = (column: string) => sql`extract(epoch from ${sql.ref(column)})::float8 * 1000`;

/** Reads the lanes of these webhooks. Those of webhooks that are not active are left out. */
export async function loadLanes(db: Db, webhookIds: readonly string[]): Promise<StoredLane[]> {
  const { rows } = await sql<StoredLane>`
    ${acrossWorkspaces('owners serve the lanes of all workspaces')}
    select lane.webhook_id, lane.workspace_id, lane.revision, lane.openings, lane.pause_reason,
      ${milliseconds('paused_until')} as paused_until_ms, ${milliseconds('last_success_at')} as last_success_at_ms,
      ${milliseconds('failing_since')} as failing_since_ms, ${milliseconds('failing_again_at')} as failing_again_at_ms,
      ${milliseconds('warned_for')} as warned_for_ms,
      rate_per_second, rate_burst, ${milliseconds('bucket_full_at')} as bucket_full_at_ms,
      json_build_object('url', url, 'event', event, 'secretToken', secret_token, 'headers', headers, 'secrets', (
        select coalesce(json_agg(json_build_object('kind', kind, 'secret', secret,
          'expiresAtMs', extract(epoch from expires_at)::float8 * 1000) order by created_at desc), '[]')
        from (
          select *, row_number() over (partition by kind order by created_at desc) as place from signing_secret
          where webhook_id = webhook.id and (kind = 'hmac' or webhook.is_asymmetric)
        ) as ranked where place <= ${sql.lit(signingSecretsMax)}
      )) as target
    from lane join webhook on webhook.id = lane.webhook_id
    where lane.webhook_id = any(${webhookIds}::uuid[]) and webhook.id = any(${webhookIds}::uuid[])
      and webhook.is_active`.execute(db);
  return rows;
}

/** A lane to be saved: its state, and the attempts of hours that are not in the statistics yet. */
export interface SavedLane extends WebhookKey, LaneState {
  revision: number;
  epoch: number;
  tallies: readonly HourTally[];
}

/**
 * Saves the states of lanes of this replica, except where the epoch has ended or the row has a later revision: it was
 * reset. Always adds to the statistics of their hours. Returns for each webhook whether its state was saved. Locked rows
 * are skipped and missing in the result, so that no lane waits for another.
 */
export async function saveLanes(
  db: Db,
  replicaId: string,
  lanes: readonly SavedLane[],
): Promise<Map<string, boolean>> {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms));
  const column = <Value>(read: (lane: SavedLane) => Value) => lanes.map(read);
  const { rows } = await sql<{ webhookId: string; isSaved: boolean }>`
    ${acrossWorkspaces('owners save the lanes of all workspaces')}
    with saved as (
      select * from unnest(
        ${column((lane) => lane.webhookId)}::uuid[], ${column((lane) => lane.revision)}::int[],
        ${column((lane) => shardOf(lane.webhookId))}::int[], ${column((lane) => lane.epoch)}::int[],
        ${column((lane) => lane.openings)}::int[], ${column((lane) => lane.pauseReason)}::text[],
        ${column((lane) => at(lane.pausedUntilMs))}::timestamptz[],
        ${column((lane) => at(lane.lastSuccessAtMs))}::timestamptz[],
        ${column((lane) => at(lane.failingSinceMs))}::timestamptz[],
        ${column((lane) => at(lane.failingAgainAtMs))}::timestamptz[],
        ${column((lane) => at(lane.warnedForMs))}::timestamptz[],
        ${column((lane) => at(lane.bucket?.fullAtMs ?? null))}::timestamptz[]
      ) as saved (webhook_id, revision, shard, epoch, openings, pause_reason, paused_until, last_success_at, failing_since,
        failing_again_at, warned_for, bucket_full_at)
    ), unlocked as materialized (
      select webhook_id, revision from lane where webhook_id = any(array(select saved.webhook_id from saved))
      for update skip locked
    ), current as materialized (
      select saved.* from saved
      join unlocked on unlocked.webhook_id = saved.webhook_id and unlocked.revision = saved.revision
      join shard on shard.id = saved.shard and shard.epoch = saved.epoch and shard.owner = ${replicaId}
    ), updated as (
      update lane set (openings, pause_reason, paused_until, last_success_at, failing_since, failing_again_at, warned_for,
        bucket_full_at) = (
          select openings, pause_reason, paused_until, last_success_at, failing_since, failing_again_at, warned_for,
            bucket_full_at
          from current where current.webhook_id = lane.webhook_id)
      where lane.webhook_id = any(array(select current.webhook_id from current))
      returning lane.webhook_id
    )
    select webhook_id, webhook_id in (select updated.webhook_id from updated) as is_saved from unlocked`.execute(
    db,
  );
  await addToHours(db, lanes);
  return new Map(rows.map((row) => [row.webhookId, row.isSaved]));
}

/** Adds to the statistics by the hour. */
async function addToHours(db: Db, lanes: readonly SavedLane[]): Promise<void> {
  const tallies = lanes.flatMap(({ workspaceId, webhookId, tallies: ofLane }) =>
    ofLane.map((tally) => ({ workspaceId, webhookId, ...tally })),
  );
  if (tallies.length === 0) return;
  await sql`
    insert into lane_hour (webhook_id, workspace_id, hour, attempts, failures, total_ms, max_ms)
    select webhook_id, workspace_id, hour, sum(attempts), sum(failures), sum(total_ms), max(max_ms) from unnest(
      ${tallies.map((tally) => tally.webhookId)}::uuid[], ${tallies.map((tally) => tally.workspaceId)}::uuid[],
      ${tallies.map((tally) => new Date(tally.hourMs))}::timestamptz[],
      ${tallies.map((tally) => tally.attempts)}::int[], ${tallies.map((tally) => tally.failures)}::int[],
      ${tallies.map((tally) => tally.totalMs)}::bigint[], ${tallies.map((tally) => tally.maxMs)}::int[]
    ) as tally (webhook_id, workspace_id, hour, attempts, failures, total_ms, max_ms)
    group by webhook_id, workspace_id, hour
    on conflict (webhook_id, hour) do update set attempts = lane_hour.attempts + excluded.attempts,
      failures = lane_hour.failures + excluded.failures, total_ms = lane_hour.total_ms + excluded.total_ms,
      max_ms = greatest(lane_hour.max_ms, excluded.max_ms)
      where lane_hour.workspace_id = excluded.workspace_id`.execute(db);
}

/** Finds the lanes with open deliveries, by one look into the index for each of them. */
export async function scanLanes(db: Db): Promise<DueLane[]> {
  // `is not null` would not do: the planner drops it, as the column is never null, and then cannot use the partial index.
  const first = sql`select webhook_id, due_at from open_delivery where due_at <= 'infinity' and held_by is null`;
  const { rows } = await sql<DueLane>`
    ${acrossWorkspaces('owners look for due deliveries of all workspaces')}
    with recursive found as (
      (${first} order by webhook_id, due_at limit 1)
      union all
      select next.* from found cross join lateral (
        ${first} and webhook_id > found.webhook_id order by webhook_id, due_at limit 1
      ) as next
    )
    select found.webhook_id, lane.workspace_id, lane.revision, webhook.is_active, lane.openings,
      ${milliseconds('paused_until')} as paused_until_ms,
      extract(epoch from least(found.due_at, now() + interval '1 day'))::float8 * 1000 as due_at_ms
    from found join lane on lane.webhook_id = found.webhook_id join webhook on webhook.id = found.webhook_id`.execute(
    db,
  );
  return rows;
}
