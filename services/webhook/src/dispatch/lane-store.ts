import { tableOf } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { sql } from 'kysely';
import type { DueLane } from '../scheduling/backlog.ts';
import type { Lane, StoredLane } from '../scheduling/lane.ts';
import { shardOf } from '../scheduling/shard.ts';
import type { Db } from '../schema.ts';
import { signingSecretsMax } from '../sending/rules/signing.ts';

const milliseconds = (column: string) => sql`extract(epoch from ${sql.ref(column)})::float8 * 1000`;

/** The columns with the instants of a lane's state, except the instant of its bucket. */
const instants = ['paused_until', 'last_success_at', 'failing_since', 'failing_again_at', 'warned_for'];

/** Without lanes of inactive webhooks. */
export async function loadLanes(db: Db, webhookIds: readonly string[]): Promise<StoredLane[]> {
  const { rows } = await sql<StoredLane>`
    ${acrossWorkspaces('owners serve the lanes of all workspaces')}
    select lane.webhook_id, lane.workspace_id, lane.revision, lane.openings, lane.pause_reason,
      ${sql.join(instants.map((column) => sql`${milliseconds(column)} as ${sql.ref(`${column}_ms`)}`))},
      case when rate_burst is not null then
        json_build_object('perSecond', rate_per_second, 'burst', rate_burst,
          'fullAtMs', coalesce(${milliseconds('bucket_full_at')}, 0)) end as bucket,
      json_build_object('url', url, 'secretToken', secret_token, 'headers', headers, 'secrets', (
        select coalesce(json_agg(json_build_object('kind', kind, 'secret', secret,
          'expiresAtMs', extract(epoch from expires_at)::float8 * 1000) order by kind desc, created_at desc), '[]')
        from (
          select *, row_number() over (partition by kind order by created_at desc) as place from signing_secret
          where webhook_id = webhook.id and (kind = 'hmac' or webhook.is_asymmetric)
        ) as ranked where place <= ${sql.lit(signingSecretsMax)}
      )) as target
    from lane join webhook on webhook.id = lane.webhook_id
    where lane.webhook_id = any(${webhookIds}::uuid[]) and webhook.id = any(${webhookIds}::uuid[])
      and webhook.is_active`.execute(reads(db));
  return rows;
}

/** A lane to save: its state, and the tallies that are not in the statistics yet. */
export type SavedLane = Omit<StoredLane, 'target'> & Pick<Lane, 'epoch' | 'tallies'>;

/**
 * Saves the states of lanes of this replica, unless the epoch has ended or the row has a later revision. Always adds
 * the tallies to the statistics. Returns for each webhook whether its state was saved. Skips locked rows, which are
 * missing in the result, so that no lane waits for another.
 */
export async function saveLanes(
  db: Db,
  replicaId: string,
  lanes: readonly SavedLane[],
): Promise<Map<string, boolean>> {
  const at = (ms: number | null | undefined) => (typeof ms === 'number' ? new Date(ms) : null);
  const given = tableOf('given', lanes, {
    webhookId: ['uuid', (lane) => lane.webhookId],
    revision: ['int', (lane) => lane.revision],
    shard: ['int', (lane) => shardOf(lane.webhookId)],
    epoch: ['int', (lane) => lane.epoch],
    openings: ['int', (lane) => lane.openings],
    pauseReason: ['text', (lane) => lane.pauseReason],
    pausedUntil: ['timestamptz', (lane) => at(lane.pausedUntilMs)],
    lastSuccessAt: ['timestamptz', (lane) => at(lane.lastSuccessAtMs)],
    failingSince: ['timestamptz', (lane) => at(lane.failingSinceMs)],
    failingAgainAt: ['timestamptz', (lane) => at(lane.failingAgainAtMs)],
    warnedFor: ['timestamptz', (lane) => at(lane.warnedForMs)],
    bucketFullAt: ['timestamptz', (lane) => at(lane.bucket?.fullAtMs)],
  });
  const stateColumns = sql.raw(['openings', 'pause_reason', 'bucket_full_at', ...instants].join(', '));
  const { rows } = await sql<{ webhookId: string; isSaved: boolean }>`
    ${acrossWorkspaces('owners save the lanes of all workspaces')}
    with saved as (select * from ${given}), unlocked as materialized (
      select webhook_id, revision from lane where webhook_id = any(array(select saved.webhook_id from saved))
      for update skip locked
    ), current as materialized (
      select saved.* from saved
      join unlocked on unlocked.webhook_id = saved.webhook_id and unlocked.revision = saved.revision
      join shard on shard.id = saved.shard and shard.epoch = saved.epoch and shard.owner = ${replicaId}
    ), updated as (
      update lane set (${stateColumns}) = (
        select ${stateColumns} from current where current.webhook_id = lane.webhook_id)
      where lane.webhook_id = any(array(select current.webhook_id from current))
      returning lane.webhook_id
    )
    select webhook_id, webhook_id in (select updated.webhook_id from updated) as is_saved
    from unlocked`.execute(db);
  await addToHours(db, lanes);
  return new Map(rows.map((row) => [row.webhookId, row.isSaved]));
}

async function addToHours(db: Db, lanes: readonly SavedLane[]): Promise<void> {
  const tallies = lanes.flatMap(({ workspaceId, webhookId, tallies: ofLane }) =>
    ofLane.map((tally) => ({ workspaceId, webhookId, ...tally })),
  );
  if (tallies.length === 0) return;
  const given = tableOf('given', tallies, {
    webhookId: ['uuid', (tally) => tally.webhookId],
    workspaceId: ['uuid', (tally) => tally.workspaceId],
    hour: ['timestamptz', (tally) => new Date(tally.hourMs)],
    attempts: ['int', (tally) => tally.attempts],
    failures: ['int', (tally) => tally.failures],
    totalMs: ['int', (tally) => tally.totalMs],
    maxMs: ['int', (tally) => tally.maxMs],
  });
  await sql`
    insert into lane_hour (webhook_id, workspace_id, hour, attempts, failures, total_ms, max_ms)
    select webhook_id, workspace_id, hour, sum(attempts), sum(failures), sum(total_ms), max(max_ms) from ${given}
    group by webhook_id, workspace_id, hour
    on conflict (webhook_id, hour) do update set attempts = lane_hour.attempts + excluded.attempts,
      failures = lane_hour.failures + excluded.failures, total_ms = lane_hour.total_ms + excluded.total_ms,
      max_ms = greatest(lane_hour.max_ms, excluded.max_ms)
      where lane_hour.workspace_id = excluded.workspace_id`.execute(db);
}

/** Finds the lanes with open deliveries by one index lookup for each. */
export async function scanLanes(db: Db): Promise<DueLane[]> {
  // This condition matches the partial index. The planner would drop `is not null`, as the column is never null.
  const first = sql`select webhook_id, due_at from open_delivery where due_at <= 'infinity' and claimed_by is null`;
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
    from found join lane on lane.webhook_id = found.webhook_id
    join webhook on webhook.id = found.webhook_id`.execute(scans(db));
  return rows;
}
