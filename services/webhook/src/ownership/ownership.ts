import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Hearsay } from '@parley/events/nats';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { DatabaseClock } from './database-clock.ts';
import { isDead, leaseMs, type Observed, observe } from './liveness.ts';
import { ownerOf, shardOf } from './shard.ts';
import { assign, beat, type Heartbeat, releaseHeld, removeReplica, type ShardRow } from './shard-store.ts';

const beatMs = 1_000;
/** A replica that leaves tries to hand its shards over this often, for so long. */
const leaveAgainMs = 500;
const leaveMsMax = 4_000;
/** The owner stops so long before others may take over. */
const marginMs = 500;
/** What was observed of others is forgotten when they could not be looked at for longer. */
const unseenMsMax = leaseMs / 2;
/** Sent to all replicas after shards were handed over, and when a replica starts. */
const shardsSubject = 'parley-webhook.shards';

/** A shard that this replica owns. */
export interface Owned {
  epoch: number;
  /** When it was taken from a dead replica, by the database clock; null when it was handed over. */
  seizedAtMs: number | null;
}

/** Which lanes this replica owns, and until when. */
export interface Ownership extends AsyncDisposable {
  readonly replicaId: string;
  /** Undefined when another replica owns the webhook's lane, or may own it by now. */
  of(webhookId: string): Owned | undefined;
  /** The end of the lease, by `performance.now()`: no attempt starts later. */
  leaseEndMs(): number;
  /** Hands all shards over, before the process ends. Disposing does the rest. */
  leave(): Promise<void>;
}

interface OwnershipOptions {
  db: Kysely<Tables>;
  logger: Logger;
  broker: Hearsay;
  clock: DatabaseClock;
  /** Called when this replica owns more shards than before. */
  onGained: () => void;
  /**
   * Called before shards are handed over, when `of` knows them no more: marks what is in flight, saves their lanes. False
   * when they cannot be handed over now.
   */
  onHandOver: (shards: ReadonlySet<number>) => Promise<boolean>;
}

/**
 * Takes part in dividing the shards among the live replicas (docs/delivery.md). A replica is alive while its heartbeats
 * change. Time is measured by each replica's own monotonic clock, so no clock that is set affects ownership.
 */
export function startOwnership(options: OwnershipOptions): Ownership {
  const { db, logger, broker, clock, onGained, onHandOver } = options;
  const replicaId: string = randomUUID();
  const owned = new Map<number, Owned>();
  /** Shards that are being handed over. */
  const moving = new Set<number>();
  let latest: { heartbeat: Heartbeat; startedMs: number } | undefined;
  let observed: ReadonlyMap<string, Observed> = new Map();
  let lookedAtMs = 0;
  let leaseEndMs = 0;
  const left = Promise.withResolvers<void>();
  let stillBeating: Schedule | undefined;

  /** What cannot be marked as in flight now is handed over later. */
  const handOver = async (shards: readonly ShardRow[], to: string | null): Promise<void> => {
    if (shards.length === 0) return;
    const ids = shards.map(({ id }) => id);
    for (const id of ids) {
      owned.delete(id);
      moving.add(id);
    }
    try {
      if (!(await onHandOver(new Set(ids)))) return;
      await assign(db, shards, to, replicaId);
      logger.info({ shards: shards.length, to }, 'shards handed over');
    } finally {
      for (const id of ids) moving.delete(id);
    }
  };

  /** Adopts what the database said, which may be older than what was acquired meanwhile. */
  const adopt = (shards: readonly ShardRow[]): void => {
    for (const { id, owner, epoch } of shards) {
      const known = owned.get(id)?.epoch ?? -1;
      if (owner !== replicaId && known <= epoch) owned.delete(id);
      if (owner === replicaId && known < epoch && !moving.has(id)) owned.set(id, { epoch, seizedAtMs: null });
    }
  };

  /** Takes the shards that nobody owns and that this replica is to own. */
  const acquire = async (shards: readonly ShardRow[]): Promise<void> => {
    const seized = new Set(shards.flatMap(({ id, owner }) => (owner === null ? [] : [id])));
    for (const { id, epoch } of await assign(db, shards, replicaId, replicaId)) {
      owned.set(id, { epoch, seizedAtMs: seized.has(id) ? clock.nowMs() : null });
    }
    if (seized.size > 0) await releaseHeld(db);
    logger.info({ shards: shards.length, seized: seized.size }, 'shards acquired');
  };

  /** Hands shards over and takes those that nobody owns. `leaving`: they get none, and keep theirs until they hand them over. */
  const divide = async (
    { shards }: Heartbeat,
    live: readonly string[],
    leaving: readonly string[],
  ): Promise<void> => {
    const wanted = Map.groupBy(shards, ({ id }) => ownerOf(id, live) ?? null);
    let hasMoved = false;
    for (const [to, group] of wanted) {
      if (to === replicaId) continue;
      const mine = group.filter(({ owner }) => owner === replicaId);
      await handOver(mine, to);
      hasMoved ||= mine.length > 0;
    }
    if (hasMoved) broker.tell(shardsSubject, '');
    const owners = new Set([replicaId, ...live, ...leaving]);
    const isFree = ({ owner }: ShardRow) => owner === null || !owners.has(owner);
    const free = (wanted.get(replicaId) ?? []).filter(isFree);
    if (free.length > 0) await acquire(free);
  };

  const beating = repeat('own shards', beatMs, logger, async () => {
    const startedMs = performance.now();
    const heartbeat = await beat(db, replicaId);
    const nowMs = performance.now();
    const before = new Map(owned);
    clock.read(heartbeat.databaseMs, nowMs);
    const lost = heartbeat.heartbeats > 1 ? [] : heartbeat.shards.filter(({ owner }) => owner === replicaId);
    if (lost.length > 0) {
      // Others have removed this replica as dead, and may be about to seize its shards. Who gets the next epoch owns them.
      owned.clear();
      await acquire(lost);
      leaseEndMs = startedMs + leaseMs - marginMs;
      onGained();
      return true;
    }
    adopt(heartbeat.shards);
    leaseEndMs = startedMs + leaseMs - marginMs;
    // While nothing could be read others may have lived on: they are dead only when they stand still from now on.
    if (startedMs - lookedAtMs > unseenMsMax) observed = new Map();
    observed = observe(observed, heartbeat.replicas, nowMs);
    lookedAtMs = nowMs;
    latest = { heartbeat, startedMs };
    dividing.wake();
    if ([...owned].some(([id, { epoch }]) => before.get(id)?.epoch !== epoch)) onGained();
  });

  // Beside the heartbeats, which must not wait for it.
  const dividing = repeat('divide shards', beatMs, logger, async () => {
    if (!latest) return;
    const { heartbeat, startedMs } = latest;
    latest = undefined;
    const live = [replicaId];
    const leaving: string[] = [];
    for (const [id, one] of observed) {
      if (id === replicaId) continue;
      // What was read may be old by now, if this process was frozen: it was true when it was asked for.
      const isGone = isDead(one, startedMs) && (await removeReplica(db, id, one.heartbeats));
      if (!isGone) (one.heartbeats > 0 ? live : leaving).push(id);
    }
    const before = new Map(owned);
    await divide(heartbeat, live, leaving);
    if ([...owned].some(([id, { epoch }]) => before.get(id)?.epoch !== epoch)) onGained();
  });
  broker.listen(shardsSubject, beating.wake);
  broker.tell(shardsSubject, '');

  return {
    replicaId,
    of: (webhookId) => (performance.now() < leaseEndMs ? owned.get(shardOf(webhookId)) : undefined),
    leaseEndMs: () => leaseEndMs,
    leave: async () => {
      await beating[Symbol.asyncDispose]();
      await dividing[Symbol.asyncDispose]();
      stillBeating = repeat('hand over shards', leaveAgainMs, logger, async () => {
        const heartbeat = await beat(db, replicaId, true);
        const live = heartbeat.replicas.filter(({ id, heartbeats }) => observed.has(id) && heartbeats > 0);
        const ids = live.map(({ id }) => id).filter((id) => id !== replicaId);
        await divide(heartbeat, ids, []);
        const { shards } = await beat(db, replicaId, true);
        if (!shards.some(({ owner }) => owner === replicaId)) left.resolve();
      });
      await Promise.race([left.promise, setTimeout(leaveMsMax, undefined, { ref: false })]);
    },
    [Symbol.asyncDispose]: async () => {
      await stillBeating?.[Symbol.asyncDispose]();
      await removeReplica(db, replicaId, null).catch((error: unknown) =>
        logger.warn({ err: error }, 'this replica could not be removed; others wait for its lease to end'),
      );
      broker.tell(shardsSubject, '');
    },
  };
}
