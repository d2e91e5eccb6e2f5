import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { tableOf } from '@parley/postgres/sql/arrays';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

const ofReplicas = acrossWorkspaces('shards belong to replicas, not to workspaces');

/** A shard and its owner; null if the last owner has released it. */
export interface ShardRow {
  id: number;
  owner: string | null;
  /** Increases with every change of owner. */
  epoch: number;
  /** When it was last seized from a dead replica, by the database clock; null: never. */
  seizedAtMs: number | null;
}

/** All replicas and shards at a heartbeat. At its first heartbeat, the replica itself can be missing. */
export interface Heartbeat {
  /** See `beat`. */
  databaseMs: number;
  /** The count of this replica: 1 at the first heartbeat, and after others have removed it. */
  heartbeats: number;
  /** Replicas that leave have negative counts. */
  replicas: { id: string; heartbeats: number }[];
  shards: ShardRow[];
}

const seizedAtMs = sql`1000 * extract(epoch from seized_at)::float8`;

/**
 * Counts a heartbeat of a replica, and reads all replicas and shards. A replica that leaves counts down from -1. The
 * returned database time does not decrease if the database's clock is set back by up to ten minutes: `delivery_clock`
 * keeps the latest time that the database or a replica (`nowMs`) has had.
 */
export async function beat(
  db: Db,
  replicaId: string,
  { isLeaving, nowMs }: { isLeaving: boolean; nowMs: number },
): Promise<Heartbeat> {
  const shown = Number.isFinite(nowMs) ? new Date(nowMs) : null;
  const { rows } = await sql<Heartbeat>`
    ${ofReplicas}
    with shown as (
      select greatest(clock_timestamp(), (
        select max(at) from unnest(array[latest, ${shown}::timestamptz]) as at
        where at <= clock_timestamp() + interval '10 minutes')) as at
      from delivery_clock
    ), kept as (
      -- Skipped if another replica does it, so that no heartbeat waits for another one.
      update delivery_clock set latest = shown.at from shown
      where exists (select from delivery_clock for update skip locked)
    ), beaten as (
      insert into replica (id, heartbeats) values (${replicaId}, 1)
      on conflict (id) do update set heartbeats = case
        when ${isLeaving}::boolean then least(replica.heartbeats, 0) - 1 else replica.heartbeats + 1 end
      returning heartbeats
    )
    select (select extract(epoch from shown.at)::float8 * 1000 from shown) as database_ms,
      (select beaten.heartbeats from beaten) as heartbeats,
      coalesce((select json_agg(replica) from replica), '[]') as replicas,
      (select json_agg(json_build_object('id', id, 'owner', owner, 'epoch', epoch, 'seizedAtMs', ${seizedAtMs})
        order by id) from shard) as shards`.execute(db);
  const [heartbeat] = rows;
  if (!heartbeat) throw new Error('the statement returned no row');
  return heartbeat;
}

/**
 * Changes the owner of shards whose epoch is the one that was read, unless an existing replica other than `from` owns
 * them. `owner` null: none. Seizing a shard of a removed replica sets `seized_at` to `nowMs`, by the database clock.
 * Returns the changed shards.
 */
export async function assign(
  db: Db,
  shards: readonly ShardRow[],
  { owner, from, nowMs }: { owner: string | null; from: string; nowMs: number },
): Promise<ShardRow[]> {
  const { rows } = await sql<ShardRow>`
    ${ofReplicas}
    update shard set owner = ${owner}::uuid, epoch = shard.epoch + 1,
      seized_at = case when shard.owner <> ${from} then ${new Date(nowMs)}::timestamptz else shard.seized_at end
    from ${tableOf('read', shards, { id: ['int', ({ id }) => id], epoch: ['int', ({ epoch }) => epoch] })}
    where shard.id = read.id and shard.epoch = read.epoch and (shard.owner = ${from} or shard.owner is null
      or not exists (select from replica where replica.id = shard.owner))
    returning shard.id, shard.owner, shard.epoch, ${seizedAtMs} as seized_at_ms`.execute(db);
  return rows;
}

/** Deletes a replica. Returns false if its count is not the observed one. Null: any count. */
export async function removeReplica(db: Db, replicaId: string, heartbeats: number | null): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${ofReplicas}
    delete from replica
    where id = ${replicaId} and heartbeats = coalesce(${heartbeats}::int, heartbeats)`.execute(db);
  return numAffectedRows === 1n;
}

/** Releases the claims of replicas that no longer exist. */
export async function releaseClaims(db: Db): Promise<void> {
  await sql`
    ${ofReplicas}
    update open_delivery set claimed_by = null
    where claimed_by is not null and not exists (
      select from replica where replica.id = open_delivery.claimed_by)`.execute(db);
}
