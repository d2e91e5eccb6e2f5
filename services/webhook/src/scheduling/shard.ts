import { hash } from 'node:crypto';

/** Returns a webhook's shard, 0 to 255: the last byte of its id. */
export function shardOf(webhookId: string): number {
  return Number.parseInt(webhookId.slice(-2), 16);
}

/**
 * Returns the replica that should own a shard, by rendezvous hashing: if a replica joins or leaves, only its own shards
 * move. Undefined without replicas.
 */
export function ownerOf(shard: number, replicaIds: readonly string[]): string | undefined {
  let owner: string | undefined;
  let highest = '';
  for (const id of replicaIds) {
    const weight = hash('sha1', `${shard}:${id}`);
    if (weight > highest) [owner, highest] = [id, weight];
  }
  return owner;
}
