import type { AttemptResult } from '../sending/attempt.ts';
import { type Breaker, breakerStep, closedBreaker, countAttempt } from './breaker.ts';
import { type Bucket, takeToken, tokenAtMs } from './bucket.ts';
import { type Failing, failed } from './failing.ts';
import { pauseMsOf, type Verdict } from './verdict.ts';

/** How many deliveries of a lane may be in flight: at first, and at most. One more after each success. */
const inFlightFirst = 1;
export const inFlightLimit = 32;
/** A success that takes longer does not make a lane responsive. */
const responsiveMsMax = 2_000;

/** Where the deliveries of a webhook go, and what they carry. */
export interface Target {
  url: string;
  /** The public name of its event. */
  event: string;
  /** Encrypted, as are the header fields and the secrets. */
  secretToken: string;
  headers: string | null;
  /** Newest first. `expiresAtMs` is by the database clock; null: it does not expire. */
  secrets: { kind: 'hmac' | 'ed25519'; secret: string; expiresAtMs: number | null }[];
}

/** The attempts of an hour (UTC) that count as attempts. */
export interface HourTally {
  hourMs: number;
  attempts: number;
  failures: number;
  totalMs: number;
  maxMs: number;
}

/** What has to survive a change of owner. Instants are by the database clock. */
export interface LaneState extends Failing {
  /** How often the breaker has opened since it was closed; 0: it is closed. */
  openings: number;
  pausedUntilMs: number | null;
  /** What the receiver answered to pause the lane; null when the breaker pauses it. */
  pauseReason: 'rate_limited' | 'unavailable' | null;
  lastSuccessAtMs: number | null;
  bucket: Bucket | null;
}

/** The queue of one webhook with its limits, as its owner holds it in memory. Instants are by the database clock. */
export interface Lane extends LaneState {
  readonly webhookId: string;
  readonly workspaceId: string;
  target: Target;
  /** That of the row when this was read: a later one means that the webhook or its options have changed. */
  revision: number;
  /** That of the shard when this was read. */
  epoch: number;
  /** The row has a later revision, or the lane has another epoch. */
  isStale: boolean;
  /** Something may be due that is not in flight. */
  hasDue: boolean;
  /** When something was last due in it, by `performance.now()`. */
  usedAtMs: number;
  /** Deliveries of which an attempt is being made or has to be recorded. */
  inFlight: number;
  inFlightMax: number;
  /** The last results all were successes, soon, or there are none yet. */
  isResponsive: boolean;
  breaker: Breaker;
  tallies: HourTally[];
  /** The state has changed since it was saved. */
  isDirty: boolean;
}

/** A lane as it is when its owner reads it. */
export function openLane(
  read: Pick<Lane, 'webhookId' | 'workspaceId' | 'target' | 'revision' | 'epoch'> & LaneState,
  nowMs: number,
): Lane {
  return {
    ...read,
    isStale: false,
    hasDue: false,
    usedAtMs: performance.now(),
    inFlight: 0,
    inFlightMax: inFlightFirst,
    isResponsive: read.failingSinceMs === null,
    breaker: closedBreaker(nowMs),
    tallies: [],
    isDirty: false,
  };
}

/** How many deliveries may be started now. An open breaker lets one through after its pause. */
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

/** From when on a delivery may be started, as far as time decides it. */
export function startableAtMs({ pausedUntilMs, bucket }: Lane): number {
  return Math.max(pausedUntilMs ?? 0, bucket ? tokenAtMs(bucket, 1) : 0);
}

/** An attempt is started. */
export function start(lane: Lane, nowMs: number): void {
  lane.inFlight += 1;
  if (!lane.bucket) return;
  lane.bucket = takeToken(lane.bucket, nowMs);
  lane.isDirty = true;
}

/**
 * Counts how an attempt went. Returns where its breaker has moved, if it has: after 5 failures without an answer in a
 * row, or when 70 % of at least 10 attempts within 5 minutes have failed, it opens; a success closes it.
 */
export function settle(
  lane: Lane,
  result: AttemptResult,
  { verdict, isProbe, nowMs }: { verdict: Verdict; isProbe: boolean; nowMs: number },
): 'open' | 'closed' | undefined {
  const pauseMs = pauseMsOf(verdict);
  if (pauseMs !== null)
    return pause(lane, nowMs + pauseMs, result.status === 429 ? 'rate_limited' : 'unavailable');
  const isSuccess = result.error === null;
  tally(lane, result, nowMs);
  lane.isDirty = true;
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
  const step = breakerStep(lane.breaker, { openings: lane.openings, isSuccess, isProbe });
  if (!step) return undefined;
  lane.openings = step.openings;
  lane.breaker = closedBreaker(nowMs);
  lane.inFlightMax = inFlightFirst;
  if (step.pauseMs !== null) pause(lane, nowMs + step.pauseMs, null);
  else Object.assign(lane, { pausedUntilMs: null, pauseReason: null });
  return step.pauseMs === null ? 'closed' : 'open';
}

/** The longer of two pauses holds, with its reason. */
function pause(lane: Lane, untilMs: number, reason: Lane['pauseReason']): undefined {
  if (lane.pausedUntilMs !== null && lane.pausedUntilMs >= untilMs) return;
  Object.assign(lane, { pausedUntilMs: untilMs, pauseReason: reason, isDirty: true });
}

/** Whether nobody answered. */
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
