import { AppError } from '@parley/runtime/errors';
import type { Route } from '../http/server/route.ts';
import { concurrencyLimit, shedCalls } from './metrics.ts';

/** The part of the limit that calls of a priority may fill. Calls with the smallest part are refused first. */
const partsOfLimit = { conversation: 1, api: 0.8, export: 0.4 } as const;

type Priority = keyof typeof partsOfLimit;

/** So many calls at once are never too many, so that a burst of 200 calls of the API gets all its answers. */
export const limitMin = 250;
/** So many calls at once are always too many: the last of them would wait for most of a second. */
const limitMax = 2_000;
/** The limit is adapted at this interval. */
const windowMs = 250;
/** Calls must be slow for so long before they are limited: a burst is answered late, not refused. */
export const slowMsMin = 1_000;
/** How many times as long as usual calls may take, and how much longer at least. */
const slowdownMax = 2;
const delayMsMin = 20;
/** The usual duration of an operation is its mean in about so long, and changes slowly while calls are slow. */
const usualMs = 5 * 60_000;
const usualWhileSlowMs = 60 * 60_000;

interface Call {
  route: Pick<Route, 'operationId' | 'access' | 'streams'>;
  /** Who pays for it. */
  tenant: string;
}

/** Refuses calls while there are more than the system can answer. */
export interface Overload {
  /** Runs a call. 503 `overloaded`, at once, if there are too many. */
  run<Result>(call: Call, work: () => Promise<Result>): Promise<Result>;
  isBusy(): boolean;
}

/**
 * Limits the calls in flight once most tenants get their answers late, whatever part of the system is slow. Then the
 * limit follows Little's law: the calls in flight, divided by how much too slow they are. A tenant that is slow alone
 * has queues of its own (docs/decisions/0022). A tenant with few calls is admitted beyond the limit. `now` is a clock
 * in milliseconds.
 */
export function createOverload(now: () => number): Overload {
  const usual = createUsualDurations(now);
  const inFlight = new Map<string, number>();
  const ended = new Map<string, Slowdowns>();
  const state = { limit: limitMax, total: 0, mostAtOnce: 0, windowEndMs: 0, calmUntilMs: now() };
  concurrencyLimit.observe((report) => report(state.limit));
  for (const priority of Object.keys(partsOfLimit)) shedCalls.add({ priority }, 0);

  const adapt = (): void => {
    const nowMs = now();
    if (nowMs < state.windowEndMs || ended.size === 0) return;
    const slowdown = medianOf(ended);
    const isSlow = slowdown > slowdownMax;
    usual.learn(isSlow);
    if (!isSlow) state.calmUntilMs = nowMs;
    state.limit = nextLimit(state, slowdown, nowMs - state.calmUntilMs);
    state.windowEndMs = nowMs + windowMs;
    state.mostAtOnce = state.total;
    ended.clear();
  };
  const hasRoom = (priority: Priority, tenant: string): boolean => {
    const { limit, total } = state;
    if (total < limit * partsOfLimit[priority]) return true;
    const own = inFlight.get(tenant) ?? 0;
    return priority !== 'export' && own < limit / (4 * inFlight.size) && total < 2 * limit;
  };
  const add = (tenant: string, change: 1 | -1): void => {
    state.total += change;
    state.mostAtOnce = Math.max(state.mostAtOnce, state.total);
    const own = (inFlight.get(tenant) ?? 0) + change;
    if (own === 0) inFlight.delete(tenant);
    else inFlight.set(tenant, own);
  };
  return {
    isBusy: () => !hasRoom('export', ''),
    run: async ({ route, tenant }, work) => {
      adapt();
      const priority = priorityOf(route);
      if (!hasRoom(priority, tenant)) {
        shedCalls.add({ priority });
        throw overloaded();
      }
      const startedAtMs = now();
      add(tenant, 1);
      try {
        return await work();
      } finally {
        add(tenant, -1);
        const slowdown = usual.add(route.operationId, now() - startedAtMs);
        const { calls, sum } = ended.get(tenant) ?? { calls: 0, sum: 0 };
        ended.set(tenant, { calls: calls + 1, sum: sum + slowdown });
      }
    },
  };
}

function priorityOf({ access, streams }: Call['route']): Priority {
  if (streams) return 'export';
  return access === 'key' ? 'api' : 'conversation';
}

function nextLimit(
  { limit, mostAtOnce }: { limit: number; mostAtOnce: number },
  slowdown: number,
  slowMs: number,
): number {
  if (slowMs >= slowMsMin || (limit < limitMax && slowMs > 0)) {
    return Math.max(limitMin, Math.min(limit, (mostAtOnce * slowdownMax) / slowdown));
  }
  if (slowMs > 0) return limit;
  // Carefully where more calls would come.
  return Math.min(limitMax, limit * (mostAtOnce > limit / 2 ? 1.1 : 1.5));
}

/** How slow the calls of a tenant were that have ended. */
interface Slowdowns {
  calls: number;
  sum: number;
}

/** Returns the mean of the tenant in the middle. */
function medianOf(ended: ReadonlyMap<string, Slowdowns>): number {
  const means = [...ended.values()].map(({ calls, sum }) => sum / calls).toSorted((a, b) => a - b);
  return means[Math.floor((means.length - 1) / 2)] ?? 1;
}

/** The usual durations of operations. What has ended since `learn` does not count yet. */
function createUsualDurations(now: () => number) {
  const usual = new Map<string, { ms: number; calls: number; atMs: number }>();
  const recent = new Map<string, { sumMs: number; calls: number }>();
  return {
    /** Adds a call. Returns how many times as long as usual it has taken, at least 1. */
    add(operation: string, durationMs: number): number {
      const { sumMs, calls } = recent.get(operation) ?? { sumMs: 0, calls: 0 };
      recent.set(operation, { sumMs: sumMs + durationMs, calls: calls + 1 });
      const ms = usual.get(operation)?.ms ?? durationMs;
      return durationMs > ms + delayMsMin ? durationMs / ms : 1;
    },
    /** Counts what has ended: while calls are slow, only by the time that has passed. */
    learn(isSlow: boolean): void {
      const nowMs = now();
      for (const [operation, { sumMs, calls }] of recent) {
        const known = usual.get(operation) ?? { ms: sumMs / calls, calls: 0, atMs: nowMs };
        const passed = (nowMs - known.atMs) / (isSlow ? usualWhileSlowMs : usualMs);
        const weight = isSlow ? passed : Math.max(passed, calls / (known.calls + calls));
        usual.set(operation, {
          ms: known.ms + (sumMs / calls - known.ms) * Math.min(1, weight),
          calls: known.calls + calls,
          atMs: nowMs,
        });
      }
      recent.clear();
    },
  };
}

function overloaded(): AppError {
  const detail = 'There are more calls than can be answered at the moment';
  return new AppError('unavailable', 'overloaded', detail, { retryAfterSeconds: 1 });
}
