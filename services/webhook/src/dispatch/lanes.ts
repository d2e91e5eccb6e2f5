import type { DatabaseClock } from '../ownership/database-clock.ts';
import type { Owned, Ownership } from '../ownership/ownership.ts';
import { drainedAt } from '../scheduling/attempts/bucket.ts';
import { delayedUntil, type Lane, openLane, type StoredLane, startableAtMs } from '../scheduling/lane.ts';
import type { Db } from '../schema.ts';
import { loadLanes, saveLanes } from './lane-store.ts';
import { createMutex } from './mutex.ts';

/** How often changed lanes are saved. */
export const saveMs = 250;
/** A lane that was idle for this long leaves the memory. */
const idleMsMax = 6 * 60_000;

interface LanesOptions {
  db: Db;
  clock: DatabaseClock;
  ownership: Pick<Ownership, 'of' | 'replicaId'>;
  /** Called with each lane that leaves the memory. */
  onClose: (lane: Lane) => void;
}

/** The lanes that this replica owns and has in memory. A lane is read when a delivery in it is due. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #open = new Map<string, Lane>();
  // An earlier state must not replace a later one.
  readonly #runExclusive = createMutex();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Returns these lanes, read again if needed, without lanes of inactive webhooks. */
  async get(webhookIds: readonly string[]): Promise<Lane[]> {
    const { clock, ownership } = this.#options;
    const toRead = webhookIds.filter((webhookId) => {
      const lane = this.#open.get(webhookId);
      const isOwn = lane?.epoch === ownership.of(webhookId)?.epoch;
      return !lane || !isOwn || lane.isStale || startableAtMs(lane) > clock.nowMs();
    });
    if (toRead.length > 0) await this.#read(toRead);
    const lanes = webhookIds.flatMap((webhookId) => this.#open.get(webhookId) ?? []);
    for (const lane of lanes) lane.usedAtMs = performance.now();
    return lanes;
  }

  /** Undefined unless the lane is in memory. */
  peek(webhookId: string): Lane | undefined {
    return this.#open.get(webhookId);
  }

  /**
   * Saves changed lanes of these, or of all. Returns false if a lane has another owner or a later revision, or its row
   * is locked.
   */
  save(lanes: Iterable<Lane> = this.#open.values()): Promise<boolean> {
    return this.#runExclusive(() => this.#saveNow([...lanes].filter(hasChanged)));
  }

  /** Removes lanes that are idle or owned by other replicas. */
  removeUnused(): void {
    const idleSinceMs = performance.now() - idleMsMax;
    for (const lane of this.#open.values()) {
      const isIdle = lane.inFlight === 0 && !hasChanged(lane) && lane.usedAtMs < idleSinceMs;
      if (isIdle || !this.#options.ownership.of(lane.webhookId)) this.#remove(lane);
    }
  }

  /**
   * Saves these lanes and removes them. Returns false if some rows are locked or their lanes change during the save. A
   * row with a later revision is not saved.
   */
  async close(isClosed: (lane: Lane) => boolean): Promise<boolean> {
    const closed = [...this.#open.values()].filter(isClosed);
    await this.save(closed);
    if (closed.some(({ isDirty }) => isDirty)) return false;
    for (const lane of closed) this.#remove(lane);
    return true;
  }

  async #read(webhookIds: readonly string[]): Promise<void> {
    const { db, clock, ownership } = this.#options;
    const stored = new Map((await loadLanes(db, webhookIds)).map((lane) => [lane.webhookId, lane]));
    for (const webhookId of webhookIds) {
      const [lane, row] = [this.#open.get(webhookId), stored.get(webhookId)];
      const owned = ownership.of(webhookId);
      if (lane && row?.revision === lane.revision && owned?.epoch === lane.epoch) lane.isStale = false;
      else if (row && owned) this.#open.set(webhookId, refreshed(lane, row, clock.nowMs(), owned));
      else if (lane) this.#remove(lane);
    }
  }

  /** Removes a lane. A lane with deliveries in flight stays, with its limits, in case this replica gets it again. */
  #remove(lane: Lane): void {
    if (lane.inFlight === 0) this.#open.delete(lane.webhookId);
    Object.assign(lane, { isStale: true, hasDue: false });
    this.#options.onClose(lane);
  }

  async #saveNow(lanes: readonly Lane[]): Promise<boolean> {
    if (lanes.length === 0) return true;
    const { db, ownership } = this.#options;
    const saved = lanes.map((lane) => ({ ...lane }));
    for (const lane of lanes)
      Object.assign(lane, { tallies: [], isDirty: false, savedAtMs: performance.now() });
    try {
      const isSaved = await saveLanes(db, ownership.replicaId, saved);
      for (const lane of lanes) {
        lane.isStale ||= isSaved.get(lane.webhookId) === false;
        lane.isDirty ||= !isSaved.has(lane.webhookId);
      }
      return lanes.every(({ webhookId }) => isSaved.get(webhookId) === true);
    } catch (error) {
      for (const [at, lane] of lanes.entries()) {
        Object.assign(lane, { tallies: [...(saved[at]?.tallies ?? []), ...lane.tallies], isDirty: true });
      }
      throw error;
    }
  }
}

function hasChanged({ isDirty, tallies }: Lane): boolean {
  return isDirty || tallies.length > 0;
}

/**
 * Returns the lane as stored, with what only the memory has: deliveries in flight, tallies, taken tokens, and until
 * when its receiver has delayed deliveries.
 */
function refreshed(
  lane: Lane | undefined,
  row: StoredLane,
  nowMs: number,
  { epoch, seizedAtMs }: Owned,
): Lane {
  let { bucket } = row;
  const known = lane?.bucket;
  if (bucket && seizedAtMs !== null) bucket = drainedAt(bucket, seizedAtMs);
  if (bucket && bucket.perSecond === known?.perSecond && bucket.burst === known.burst) {
    bucket = { ...bucket, fullAtMs: Math.max(bucket.fullAtMs, known.fullAtMs) };
  }
  const opened = { ...openLane({ ...row, epoch, bucket }, nowMs), usedAtMs: performance.now() };
  if (!lane) return opened;
  const { inFlight, hasDue, tallies } = lane;
  // Tokens that only the memory has are saved again.
  const isDirty = bucket?.fullAtMs !== row.bucket?.fullAtMs;
  return Object.assign(lane, opened, {
    inFlight,
    hasDue,
    tallies,
    isDirty,
    delayedUntilMs: delayedUntil(lane, nowMs),
  });
}
