import type { AttemptResult } from '../sending/attempt.ts';
import type { ReceiverTarget } from '../sending/rules/destination.ts';
import {
  type Breaker,
  breakerPauseMs,
  closedBreaker,
  countAttempt,
  nextOpenings,
} from './attempts/breaker.ts';
import { type Bucket, takeToken, tokenAtMs } from './attempts/bucket.ts';
import { type Failing, failed } from './attempts/failing.ts';
import { type NextState, pauseMsOf } from './attempts/next-state.ts';

/** Limits of the deliveries of a lane in flight: the first one, and the maximum. Each success adds one. */
const inFlightFirst = 1;
export const inFlightLimit = 32;
/** A success that takes longer does not make a lane responsive. */
const responsiveMsMax = 2_000;

export interface HourTally {
  hourMs: number;
  attempts: number;
  failures: number;
  totalMs: number;
  maxMs: number;
}

/** The part of a lane that survives a change of owner. Instants are by the database clock. */
export interface LaneState extends Failing {
  /** How often the breaker has opened since it was closed. 0: it is closed. */
  openings: number;
  pausedUntilMs: number | null;
  /** The answer that paused the lane. Null if the breaker did. */
  pauseReason: 'rate_limited' | 'unavailable' | null;
  lastSuccessAtMs: number | null;
  bucket: Bucket | null;
}

/** A lane of an active webhook as its owner reads it. */
export interface StoredLane extends LaneState {
  readonly webhookId: string;
  readonly workspaceId: string;
  target: ReceiverTarget;
  /** The row's revision when it was read. A later one means that the webhook or its options have changed. */
  revision: number;
}

/** The queue of one webhook with its limits, in the memory of its owner. Instants are by the database clock. */
export interface Lane extends StoredLane {
  /** The shard's epoch when the lane was read. */
  epoch: number;
  isStale: boolean;
  hasDue: boolean;
  /** When a delivery was last due in it, by `performance.now()`. */
  usedAtMs: number;
  /** The number of deliveries that are attempted or not recorded yet. */
  inFlight: number;
  inFlightMax: number;
  /** Whether the last attempt succeeded quickly. True before the first one, unless the webhook is failing. */
  isResponsive: boolean;
  /** When it was last not responsive, or its breaker open. Null: not since its owner has read it. */
  delayedUntilMs: number | null;
  breaker: Breaker;
  tallies: HourTally[];
  /** Whether the state has changed since it was saved. */
  isDirty: boolean;
  /** When it was last saved, by `performance.now()`. */
  savedAtMs: number;
}

/** The owner has just read the lane. */
export function openLane(read: StoredLane & Pick<Lane, 'epoch'>, nowMs: number): Lane {
  return {
    ...read,
    isStale: false,
    hasDue: false,
    usedAtMs: 0,
    inFlight: 0,
    inFlightMax: inFlightFirst,
    isResponsive: read.failingSinceMs === null,
    delayedUntilMs: null,
    breaker: closedBreaker(nowMs),
    tallies: [],
    isDirty: false,
    savedAtMs: 0,
  };
}

/** Returns how many deliveries may be started now: one after the pause of an open breaker. */
export function capacity(lane: Lane, nowMs: number): number {
  if (nowMs < startableAtMs(lane)) return 0;
  const most = lane.openings > 0 ? 1 : lane.inFlightMax;
  const free = Math.max(0, most - lane.inFlight);
  return lane.bucket && free > 0 ? Math.min(free, tokensOf(lane.bucket, nowMs, free)) : free;
}

function tokensOf(bucket: Bucket, nowMs: number, most: number): number {
  let tokens = 0;
  while (tokens < most && tokenAtMs(bucket, tokens + 1) <= nowMs) tokens += 1;
  return tokens;
}

/** Returns when a pause ends and the first token is available. */
export function startableAtMs({ pausedUntilMs, bucket }: Lane): number {
  return Math.max(pausedUntilMs ?? 0, bucket ? tokenAtMs(bucket, 1) : 0);
}

/**
 * Returns whether the receiver has delayed no delivery since then. Failures, slow answers, pauses and a rate limit
 * delay deliveries.
 */
export function isUndelayedSince(lane: Lane, sinceMs: number): boolean {
  return sinceMs >= delayedUntil(lane, Number.POSITIVE_INFINITY);
}

/** Returns until when the receiver has delayed deliveries: `nowMs` if it still does, 0 if it never has. */
export function delayedUntil(lane: Lane, nowMs: number): number {
  const { isResponsive, openings, bucket, delayedUntilMs, pausedUntilMs } = lane;
  if (!isResponsive || openings > 0 || bucket) return nowMs;
  return Math.min(nowMs, Math.max(delayedUntilMs ?? 0, pausedUntilMs ?? 0));
}

/** Counts a started attempt, and takes its token. */
export function startAttempt(lane: Lane, nowMs: number): void {
  lane.inFlight += 1;
  if (!lane.bucket) return;
  lane.bucket = takeToken(lane.bucket, nowMs);
  lane.isDirty = true;
}

/** The new state of a breaker; undefined if it has not moved. */
export type BreakerMove = 'open' | 'closed' | undefined;

/**
 * Applies the result of an attempt. The breaker opens after 5 attempts in a row without an answer, or if 70 % of at
 * least 10 attempts within 5 minutes have failed. A success closes it.
 */
export function settle(
  lane: Lane,
  result: AttemptResult,
  { next, isProbe, nowMs }: { next: NextState; isProbe: boolean; nowMs: number },
): BreakerMove {
  const pauseMs = pauseMsOf(next);
  if (pauseMs !== null)
    return pause(lane, nowMs + pauseMs, result.status === 429 ? 'rate_limited' : 'unavailable');
  const isSuccess = result.error === null;
  tally(lane, result, nowMs);
  lane.isDirty = true;
  if (!lane.isResponsive || lane.openings > 0) lane.delayedUntilMs = nowMs;
  lane.isResponsive = isSuccess && result.durationMs <= responsiveMsMax;
  const isSilent = isUnanswered(result);
  if (lane.openings === 0) {
    lane.inFlightMax = isSilent
      ? Math.max(inFlightFirst, Math.floor(lane.inFlightMax / 2))
      : Math.min(inFlightLimit, lane.inFlightMax + Number(isSuccess));
  }
  if (isSuccess)
    Object.assign(lane, { lastSuccessAtMs: nowMs, failingSinceMs: null, failingAgainAtMs: null });
  else Object.assign(lane, failed(lane, nowMs));
  lane.breaker = countAttempt(lane.breaker, { isSuccess, isSilent, nowMs });
  const openings = nextOpenings(lane.breaker, { openings: lane.openings, isSuccess, isProbe });
  if (openings === lane.openings) return undefined;
  Object.assign(lane, { openings, breaker: closedBreaker(nowMs), inFlightMax: inFlightFirst });
  if (openings > 0) pause(lane, nowMs + breakerPauseMs(openings), null);
  else Object.assign(lane, { pausedUntilMs: null, pauseReason: null });
  return openings > 0 ? 'open' : 'closed';
}

/** Pauses the lane, unless a longer pause is set. */
function pause(lane: Lane, untilMs: number, reason: Lane['pauseReason']): undefined {
  if (lane.pausedUntilMs !== null && lane.pausedUntilMs >= untilMs) return;
  Object.assign(lane, { pausedUntilMs: untilMs, pauseReason: reason, isDirty: true });
}

function isUnanswered({ status, error }: AttemptResult): boolean {
  return error !== null && error !== 'blocked_address' && (status === null || error === 'timeout_total');
}

function tally(lane: Lane, { durationMs, error }: AttemptResult, nowMs: number): void {
  const hourMs = nowMs - (nowMs % 3_600_000);
  let last = lane.tallies.at(-1);
  if (last?.hourMs !== hourMs) {
    last = { hourMs, attempts: 0, failures: 0, totalMs: 0, maxMs: 0 };
    lane.tallies.push(last);
  }
  last.attempts += 1;
  last.failures += Number(error !== null);
  last.totalMs += durationMs;
  last.maxMs = Math.max(last.maxMs, durationMs);
}
