import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { broadcastSubjects } from '@parley/contracts/subjects';
import type { Broadcast } from '@parley/events/nats';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import { ownerOf, shardOf } from '../scheduling/shard.ts';
import type { Db } from '../schema.ts';
import type { DatabaseClock } from './database-clock.ts';
import { assign, beat, type Heartbeat, releaseClaims, removeReplica, type ShardRow } from './shard-store.ts';

const beatMs = 1_000;
/** How often claims are looked for that a replica has made after its removal. */
const releaseMs = 5_000;
/** A replica that leaves tries to hand its shards over at this interval, for at most `leaveMsMax`. */
const leaveRetryMs = 500;
const leaveMsMax = 4_000;
/** The owner stops this long before another replica may take over. */
const marginMs = 500;
/** A replica is dead if its heartbeats have not changed for this time, by the clock of the replica that observes it. */
export const leaseMs = 5_000;
/** Observations of other replicas are dropped if no heartbeats could be read for longer. */
const unreadMsMax = leaseMs / 2;
/** Broadcast after shards were handed over, and when a replica starts. */
const shardsSubject = broadcastSubjects.shardsMoved;

export type Owned = Pick<ShardRow, 'epoch' | 'seizedAtMs'>;

interface OwnershipOptions {
  db: Db;
  logger: Logger;
  broker: Broadcast;
  clock: DatabaseClock;
  onGained: () => void;
  /**
   * Called before shards are handed over, when `of` no longer returns them. Claims their deliveries in flight and saves
   * their lanes. Returns false if they cannot be handed over now.
   */
  onHandOver: (shards: ReadonlySet<number>) => Promise<boolean>;
}

/**
 * Divides the shards among the live replicas (docs/webhooks/delivery.md). A replica is alive while its heartbeats
 * change. Each replica measures time by its own monotonic clock, so a clock that is set does not affect ownership.
 */
export class Ownership implements AsyncDisposable {
  readonly replicaId: string = randomUUID();
  readonly #options: OwnershipOptions;
  readonly #owned = new Map<number, Owned>();
  readonly #moving = new Set<number>();
  #observed: ReadonlyMap<string, Observed> = new Map();
  #observedAtMs = 0;
  #latest: { heartbeat: Heartbeat; startedMs: number } | undefined;
  #leaseEndMs = 0;
  #changedAtMs: number | undefined;
  readonly #beating: Schedule;
  readonly #dividing: Schedule;
  #leaving: Schedule | undefined;
  /** When claims were released last, and which replicas there were. */
  #released = { replicas: '', atMs: 0 };

  constructor(options: OwnershipOptions) {
    this.#options = options;
    const { logger, broker } = options;
    this.#beating = repeat('own shards', beatMs, logger, () => this.#beat());
    // A schedule of its own: heartbeats must not wait for it.
    this.#dividing = repeat('divide shards', beatMs, logger, () => this.#divideLatest());
    broker.subscribe(shardsSubject, this.#beating.wake);
    broker.broadcast(shardsSubject, '');
  }

  /** Returns the shard of this webhook. Undefined if another replica owns it, or may own it. */
  of(webhookId: string): Owned | undefined {
    return performance.now() < this.#leaseEndMs ? this.#owned.get(shardOf(webhookId)) : undefined;
  }

  /** Returns how many shards this replica owns, and when that last changed, in epoch milliseconds. */
  held(): { shards: number; sinceMs: number | undefined } {
    const isValid = performance.now() < this.#leaseEndMs;
    return { shards: isValid ? this.#owned.size : 0, sinceMs: this.#changedAtMs };
  }

  /** Returns the end of the lease, by `performance.now()`. No attempt starts later. */
  leaseEndMs(): number {
    return this.#leaseEndMs;
  }

  /** Hands all shards over. Disposing then removes the replica. */
  async leave(): Promise<void> {
    const { logger } = this.#options;
    await this.#beating[Symbol.asyncDispose]();
    await this.#dividing[Symbol.asyncDispose]();
    const left = Promise.withResolvers<void>();
    this.#leaving = repeat('hand over shards', leaveRetryMs, logger, async () => {
      const heartbeat = await this.#count(true);
      const ids = heartbeat.replicas.flatMap(({ id, heartbeats }) => (heartbeats > 0 ? [id] : []));
      const live = ids.filter((id) => id !== this.replicaId && this.#observed.has(id));
      await this.#divide(heartbeat, live, []);
      const { shards } = await this.#count(true);
      if (!shards.some(({ owner }) => owner === this.replicaId)) left.resolve();
    });
    await Promise.race([left.promise, setTimeout(leaveMsMax, undefined, { ref: false })]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { db, logger, broker } = this.#options;
    await this.#leaving?.[Symbol.asyncDispose]();
    await removeReplica(db, this.replicaId, null).catch((error: unknown) =>
      logger.warn({ err: error }, 'this replica could not be removed; others wait for its lease to end'),
    );
    broker.broadcast(shardsSubject, '');
  }

  /** Counts a heartbeat and reads the database clock with it. */
  async #count(isLeaving: boolean): Promise<Heartbeat> {
    const { db, clock } = this.#options;
    const heartbeat = await beat(db, this.replicaId, { isLeaving, nowMs: clock.nowMs() });
    clock.read(heartbeat.databaseMs, performance.now());
    return heartbeat;
  }

  async #beat(): Promise<boolean> {
    const startedMs = performance.now();
    const heartbeat = await this.#count(false);
    const nowMs = performance.now();
    const lost =
      heartbeat.heartbeats > 1 ? [] : heartbeat.shards.filter(({ owner }) => owner === this.replicaId);
    if (lost.length > 0) {
      // Others have removed this replica as dead, and may seize its shards. The next epoch decides who owns them.
      this.#owned.clear();
      this.#changedAtMs = Date.now();
      await this.#acquire(lost);
    } else this.#adopt(heartbeat.shards);
    this.#leaseEndMs = startedMs + leaseMs - marginMs;
    if (lost.length > 0) return true;
    // Others may have been alive while nothing could be read, so they are observed from the start.
    if (startedMs - this.#observedAtMs > unreadMsMax) this.#observed = new Map();
    this.#observed = observe(this.#observed, heartbeat.replicas, nowMs);
    this.#observedAtMs = nowMs;
    this.#latest = { heartbeat, startedMs };
    this.#dividing.wake();
    return false;
  }

  /** Applies shards that were read. Shards that were acquired since then have a later epoch, and stay. */
  #adopt(shards: readonly ShardRow[]): void {
    let hasGained = false;
    for (const { id, owner, epoch, seizedAtMs } of shards) {
      const known = this.#owned.get(id)?.epoch ?? -1;
      if (owner !== this.replicaId && known <= epoch && this.#owned.delete(id))
        this.#changedAtMs = Date.now();
      if (owner !== this.replicaId || known >= epoch || this.#moving.has(id)) continue;
      this.#owned.set(id, { epoch, seizedAtMs });
      hasGained = true;
    }
    if (!hasGained) return;
    this.#changedAtMs = Date.now();
    this.#options.onGained();
  }

  /** Divides the shards as of the latest heartbeat, and removes dead replicas. */
  async #divideLatest(): Promise<void> {
    if (!this.#latest) return;
    const { heartbeat, startedMs } = this.#latest;
    this.#latest = undefined;
    const live = [this.replicaId];
    const leaving: string[] = [];
    for (const [id, one] of this.#observed) {
      if (id === this.replicaId) continue;
      // Compared with the start of the heartbeat: if this process was frozen since, what it has read is old.
      const isGone = isDead(one, startedMs) && (await removeReplica(this.#options.db, id, one.heartbeats));
      if (!isGone) (one.heartbeats > 0 ? live : leaving).push(id);
    }
    await this.#divide(heartbeat, live, leaving);
    await this.#releaseClaims([...live, ...leaving], startedMs);
  }

  /** Releases what removed replicas have claimed: at once after a change, and what they claimed late soon after. */
  async #releaseClaims(replicas: readonly string[], nowMs: number): Promise<void> {
    const known = replicas.toSorted().join(' ');
    if (known === this.#released.replicas && nowMs < this.#released.atMs + releaseMs) return;
    await releaseClaims(this.#options.db);
    this.#released = { replicas: known, atMs: nowMs };
  }

  /** Hands shards over and acquires free ones. Replicas of `leaving` get none, and keep theirs until they hand over. */
  async #divide({ shards }: Heartbeat, live: readonly string[], leaving: readonly string[]): Promise<void> {
    const { broker } = this.#options;
    const wanted = Map.groupBy(shards, ({ id }) => ownerOf(id, live) ?? null);
    let hasMoved = false;
    for (const [to, group] of wanted) {
      const mine = to === this.replicaId ? [] : group.filter(({ owner }) => owner === this.replicaId);
      if (mine.length === 0) continue;
      await this.#handOver(mine, to);
      hasMoved = true;
    }
    if (hasMoved) broker.broadcast(shardsSubject, '');
    const owners = new Set([this.replicaId, ...live, ...leaving]);
    const isFree = ({ owner }: ShardRow) => owner === null || !owners.has(owner);
    const free = (wanted.get(this.replicaId) ?? []).filter(isFree);
    if (free.length > 0) await this.#acquire(free);
  }

  /** Hands shards over. If deliveries in flight cannot be claimed now, the shards stay, and the next call retries. */
  async #handOver(shards: readonly ShardRow[], to: string | null): Promise<void> {
    const { db, logger, clock, onHandOver } = this.#options;
    const ids = shards.map(({ id }) => id);
    this.#changedAtMs = Date.now();
    for (const id of ids) {
      this.#owned.delete(id);
      this.#moving.add(id);
    }
    try {
      if (!(await onHandOver(new Set(ids)))) return;
      await assign(db, shards, { owner: to, from: this.replicaId, nowMs: clock.nowMs() });
      logger.info({ shards: shards.length, to }, 'shards handed over');
    } finally {
      for (const id of ids) this.#moving.delete(id);
    }
  }

  async #acquire(shards: readonly ShardRow[]): Promise<void> {
    const { db, logger, clock } = this.#options;
    const change = { owner: this.replicaId, from: this.replicaId, nowMs: clock.nowMs() };
    const acquired = await assign(db, shards, change);
    this.#adopt(acquired);
    logger.info({ shards: acquired.length }, 'shards acquired');
  }
}

/** The last observed count of a replica's heartbeats, and since when it has not changed. */
export interface Observed {
  heartbeats: number;
  sinceMs: number;
}

/** Omits replicas that no longer exist. */
export function observe(
  known: ReadonlyMap<string, Observed>,
  replicas: readonly { id: string; heartbeats: number }[],
  nowMs: number,
): Map<string, Observed> {
  return new Map(
    replicas.map(({ id, heartbeats }) => {
      const before = known.get(id);
      return [id, before?.heartbeats === heartbeats ? before : { heartbeats, sinceMs: nowMs }];
    }),
  );
}

export function isDead({ sinceMs }: Observed, nowMs: number): boolean {
  return nowMs - sinceMs > leaseMs;
}
