import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const ofReplicas = acrossWorkspaces('shards belong to replicas, not to workspaces');

/** A shard, and the replica that owns it; null when its last owner has released it. */
export interface ShardRow {
  id: number;
  owner: string | null;
  /** Increases with every change of owner. */
  epoch: number;
}

/** All replicas and shards at a heartbeat. The replica that beats may be missing at its first one. */
export interface Heartbeat {
  databaseMs: number;
  /** That of the replica that beats: 1 at the first one, and after others have removed it. */
  heartbeats: number;
  /** Those that leave have negative heartbeats. */
  replicas: { id: string; heartbeats: number }[];
  shards: ShardRow[];
}

/** Counts a heartbeat of a replica; one that leaves counts down from -1, and gets no more shards. */
export async function beat(db: Db, replicaId: string, isLeaving = false): Promise<Heartbeat> {
  const { rows } = await sql<Heartbeat>`
    ${ofReplicas}
    with beaten as (
      insert into replica (id, heartbeats) values (${replicaId}, 1)
      on conflict (id) do update set heartbeats = case
        when ${isLeaving}::boolean then least(replica.heartbeats, 0) - 1 else replica.heartbeats + 1 end
      returning heartbeats
    )
    select extract(epoch from clock_timestamp())::float8 * 1000 as database_ms,
      (select beaten.heartbeats from beaten) as heartbeats,
      coalesce((select json_agg(replica) from replica), '[]') as replicas,
      (select json_agg(shard order by id) from shard) as shards`.execute(db);
  return rows[0] ?? { databaseMs: 0, heartbeats: 0, replicas: [], shards: [] };
}

/**
 * Makes a replica (null: none) the owner of these shards, as far as they are as they were read and of no other replica
 * (`from`) that there is. Returns those.
 */
export async function assign(
  db: Db,
  shards: readonly ShardRow[],
  owner: string | null,
  from: string,
): Promise<{ id: number; epoch: number }[]> {
  const { rows } = await sql<{ id: number; epoch: number }>`
    ${ofReplicas}
    update shard set owner = ${owner}::uuid, epoch = shard.epoch + 1
    from unnest(${shards.map(({ id }) => id)}::int[], ${shards.map(({ epoch }) => epoch)}::int[]) as read (id, epoch)
    where shard.id = read.id and shard.epoch = read.epoch and (shard.owner = ${from} or shard.owner is null
      or not exists (select from replica where replica.id = shard.owner))
    returning shard.id, shard.epoch`.execute(db);
  return rows;
}

/**
 * Deletes a replica that leaves, or is dead: then its heartbeats have to be those that were observed, else this returns
 * false. What it held is delivered by others.
 */
export async function removeReplica(db: Db, replicaId: string, heartbeats: number | null): Promise<boolean> {
  const { rows } = await sql`
    ${ofReplicas}
    with removed as (
      delete from replica where id = ${replicaId} and heartbeats = coalesce(${heartbeats}::int, heartbeats) returning id
    ), released as (
      update open_delivery set held_by = null
      where held_by = ${replicaId} and held_by in (select removed.id from removed)
    )
    select id from removed`.execute(db);
  return rows.length > 0;
}

/** Clears `held_by` of replicas that no longer exist: one may have marked something after its removal. */
export async function releaseHeld(db: Db): Promise<void> {
  await sql`
    ${ofReplicas}
    update open_delivery set held_by = null
    where held_by is not null and not exists (select from replica where replica.id = open_delivery.held_by)`.execute(
    db,
  );
}
