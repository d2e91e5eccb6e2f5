import type { Kysely } from 'kysely';
import type { DatabaseClock } from '../ownership/database-clock.ts';
import type { Owned, Ownership } from '../ownership/ownership.ts';
import type { Tables } from '../schema.ts';
import { type Bucket, drainedAt } from './bucket.ts';
import { capacity, type Lane, openLane, startableAtMs } from './lane.ts';
import { createTurns } from './turns.ts';
import { type DueLane, loadLanes, type StoredLane, saveLanes } from './lane-store.ts';

/** A lane in which nothing has happened for this long leaves the memory. */
const idleMsMax = 6 * 60_000;

/** What becomes due within this time is remembered; scans find the rest. */
const expectedMsMax = 60_000;

/** What an operator looks at first, of the lanes of this replica. */
export interface Backlog {
  /** Seconds since the oldest delivery that could be sent became due. 0 when there is none. */
  oldestDueSeconds: number;
  /** Lanes with something open whose breaker is open. */
  openBreakers: number;
  /** Lanes with something open that wait for their receiver, or the breaker. */
  pausedLanes: number;
}

/** The lanes that this replica owns, as far as something is to be done in them. */
export interface Lanes {
  /** Returns these lanes as they are stored now. Those of webhooks that are not active are left out. */
  get(webhookIds: readonly string[]): Promise<Lane[]>;
  /** Something of the webhook becomes due then, by the database clock. Forgotten when that is over a minute away. */
  expect(webhookId: string, atMs: number): void;
  /** Takes what a scan has found. */
  found(lanes: readonly DueLane[]): void;
  /** Returns the webhooks for which something was expected by now, and forgets that. */
  takeExpected(nowMs: number): string[];
  /** When the next is expected. */
  nextExpectedMs(): number;
  /** Saves these lanes and forgets them. False when some are locked, or change meanwhile. */
  close(isClosed: (lane: Lane) => boolean): Promise<boolean>;
  /** False when a lane has another owner by now, was reset, or is locked just now. */
  save(lanes: readonly Lane[]): Promise<boolean>;
  /** Saves what has changed in these lanes. */
  saveSome(webhookIds: readonly string[]): Promise<void>;
  /** Saves what has changed, and forgets lanes that are idle or owned by others. */
  saveAll(): Promise<void>;
  backlog(): Backlog;
  /** Those of the last scan whose webhooks are not active. */
  inactive(): DueLane[];
}

interface LanesOptions {
  db: Kysely<Tables>;
  clock: DatabaseClock;
  ownership: Pick<Ownership, 'of' | 'replicaId'>;
  /** Called with each lane that is forgotten. */
  onClose: (lane: Lane) => void;
}

/** Keeps lanes in memory: a lane is read when something in it is due. */
export function openLanes({ db, clock, ownership, onClose }: LanesOptions): Lanes {
  const open = new Map<string, Lane>();
  const expected = new Map<string, number[]>();
  let nextMs = Number.POSITIVE_INFINITY;
  let lastFound: readonly DueLane[] = [];

  const read = async (webhookIds: readonly string[]): Promise<void> => {
    const stored = new Map((await loadLanes(db, webhookIds)).map((lane) => [lane.webhookId, lane]));
    for (const webhookId of webhookIds) {
      const [lane, row] = [open.get(webhookId), stored.get(webhookId)];
      const owned = ownership.of(webhookId);
      if (lane && row?.revision === lane.revision && owned?.epoch === lane.epoch) lane.isStale = false;
      else if (row && owned) open.set(webhookId, refreshed(lane, row, clock.nowMs(), owned));
      else if (lane) forget(lane);
    }
  };

  /** A lane with something in flight stays, so that its limits hold if this replica gets it again. */
  const forget = (lane: Lane): void => {
    if (lane.inFlight === 0) open.delete(lane.webhookId);
    Object.assign(lane, { isStale: true, hasDue: false });
    onClose(lane);
  };

  // An earlier state must not replace a later one.
  const inTurn = createTurns();
  const save = (lanes: readonly Lane[]) => inTurn(() => saveNow(lanes));

  const saveNow = async (lanes: readonly Lane[]): Promise<boolean> => {
    if (lanes.length === 0) return true;
    const saved = lanes.map((lane) => ({ ...lane }));
    for (const lane of lanes) Object.assign(lane, { tallies: [], isDirty: false });
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
  };

  const hasChanged = ({ isDirty, tallies }: Lane): boolean => isDirty || tallies.length > 0;

  const expect = (webhookId: string, atMs: number): void => {
    // Scans find the others in time.
    if (atMs > clock.nowMs() + expectedMsMax) return;
    const instants = expected.get(webhookId);
    if (instants) instants.push(atMs);
    else expected.set(webhookId, [atMs]);
    nextMs = Math.min(nextMs, atMs);
  };

  return {
    get: async (webhookIds) => {
      const mustRead = (webhookId: string): boolean => {
        const lane = open.get(webhookId);
        const isOwn = lane?.epoch === ownership.of(webhookId)?.epoch;
        return !lane || !isOwn || lane.isStale || startableAtMs(lane) > clock.nowMs();
      };
      const toRead = webhookIds.filter(mustRead);
      if (toRead.length > 0) await read(toRead);
      const lanes = webhookIds.flatMap((webhookId) => open.get(webhookId) ?? []);
      for (const lane of lanes) lane.usedAtMs = performance.now();
      return lanes;
    },
    expect,
    found: (found) => {
      lastFound = found;
      for (const { webhookId, dueAtMs, revision, isActive } of found) {
        const lane = open.get(webhookId);
        if (lane && lane.revision !== revision) lane.isStale = true;
        if (isActive) expect(webhookId, dueAtMs);
      }
    },
    takeExpected: (nowMs) => {
      if (nowMs < nextMs) return [];
      nextMs = Number.POSITIVE_INFINITY;
      const due: string[] = [];
      for (const [webhookId, instants] of expected) {
        const later = instants.filter((atMs) => atMs > nowMs);
        if (later.length < instants.length) due.push(webhookId);
        if (later.length === 0) expected.delete(webhookId);
        else if (later.length < instants.length) expected.set(webhookId, later);
        for (const atMs of later) nextMs = Math.min(nextMs, atMs);
      }
      return due;
    },
    nextExpectedMs: () => nextMs,
    close: async (isClosed) => {
      const closed = [...open.values()].filter(isClosed);
      await save(closed.filter(hasChanged));
      if (closed.some(({ isDirty }) => isDirty)) return false;
      for (const lane of closed) forget(lane);
      return true;
    },
    save,
    saveSome: async (webhookIds) => {
      await save([...new Set(webhookIds)].flatMap((id) => open.get(id) ?? []).filter(hasChanged));
    },
    saveAll: async () => {
      const idleSinceMs = performance.now() - idleMsMax;
      await save([...open.values()].filter(hasChanged));
      for (const lane of open.values()) {
        const isIdle = lane.inFlight === 0 && !hasChanged(lane) && lane.usedAtMs < idleSinceMs;
        if (isIdle || !ownership.of(lane.webhookId)) forget(lane);
      }
    },
    inactive: () => lastFound.filter(({ isActive }) => !isActive),
    backlog: () => backlogOf(lastFound, open, clock.nowMs()),
  };
}

/** The lane as it is stored now. What is known of an earlier reading and still holds is kept. */
function refreshed(
  lane: Lane | undefined,
  row: StoredLane,
  nowMs: number,
  { epoch, seizedAtMs }: Owned,
): Lane {
  const { ratePerSecond: perSecond, rateBurst: burst, bucketFullAtMs, ...stored } = row;
  let bucket: Bucket | null = null;
  if (perSecond !== null && burst !== null) {
    bucket = { perSecond, burst, fullAtMs: bucketFullAtMs ?? 0 };
    if (seizedAtMs !== null) bucket = drainedAt(bucket, seizedAtMs);
    const isSame = lane?.bucket?.perSecond === perSecond && lane.bucket.burst === burst;
    if (isSame) bucket.fullAtMs = Math.max(bucket.fullAtMs, lane?.bucket?.fullAtMs ?? 0);
  }
  const opened = openLane({ ...stored, epoch, bucket }, nowMs);
  if (!lane) return opened;
  const { inFlight, hasDue, tallies } = lane;
  return Object.assign(lane, opened, { inFlight, hasDue, tallies });
}

function backlogOf(found: readonly DueLane[], open: ReadonlyMap<string, Lane>, nowMs: number): Backlog {
  const isPaused = ({ pausedUntilMs }: DueLane) => pausedUntilMs !== null && pausedUntilMs > nowMs;
  const isSendable = (due: DueLane): boolean => {
    const lane = open.get(due.webhookId);
    return due.openings === 0 && !isPaused(due) && (!lane || capacity(lane, nowMs) > 0);
  };
  const agesMs = found.map((due) => (isSendable(due) ? nowMs - due.dueAtMs : 0));
  return {
    oldestDueSeconds: agesMs.reduce((oldest, age) => Math.max(oldest, age), 0) / 1_000,
    openBreakers: found.filter(({ openings }) => openings > 0).length,
    pausedLanes: found.filter(isPaused).length,
  };
}
