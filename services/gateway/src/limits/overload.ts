import type { Route } from '../http/server/route.ts';
import { type CallQueue, createCallQueue } from './call-queue.ts';
import { concurrencyLimit, shedCalls } from './metrics.ts';

/** The part of the limit that calls of a priority may fill. Calls with the smallest part are refused first. */
const partsOfLimit = { conversation: 1, api: 0.8, export: 0.4 } as const;

type Priority = keyof typeof partsOfLimit;

/** The limit rises while more of it is used: less than the part of any priority. */
const usedPartMin = 1 / 3;
/** So many calls at once never wait for others. */
const limitMin = 64;
/** So many calls at once may start before they are known to be answered in time. */
const limitUnproven = 256;
/** So many calls at once are always too many: the last of them would wait for most of a second. */
const limitMax = 2_000;
/** So many calls of a tenant at once are few: they start beyond the limit, while fewer than twice the limit are few. */
const fewCalls = 32;
/** Limit and queues are judged at this interval. */
const windowMs = 100;
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
  /** Runs a call, when there are few enough. 503 `overloaded` if it would wait too long, or has. */
  run<Result>(call: Call, work: () => Promise<Result>): Promise<Result>;
  /** Throws what `run` would throw now. For a call whose tenant is not checked yet: it costs nothing to be refused. */
  requireRoom(call: Call): void;
  isBusy(): boolean;
}

/**
 * Limits the calls in flight once most tenants get their answers late, whatever part of the system is slow. The limit
 * follows Little's law: the calls in flight, divided by how much too slow they are. Calls beyond it wait
 * (`call-queue.ts`). A tenant that is slow alone has queues of its own (docs/decisions/0022). A tenant with few calls
 * is admitted beyond the limit. `now` is a clock in milliseconds.
 */
export function createOverload(now: () => number): Overload {
  const usual = createUsualDurations(now);
  const inFlight = createInFlight();
  const ended = new Map<string, Slowdowns>();
  const state = { limit: limitUnproven, windowEndMs: 0 };
  const queueOf = (priority: Priority): CallQueue =>
    createCallQueue({
      now,
      waitingMax: limitMax,
      hasRoom: (tenant) => hasRoom(priority, tenant),
      onRefused: () => shedCalls.add({ priority }),
    });
  // In the order in which calls that wait start.
  const queues = { conversation: queueOf('conversation'), api: queueOf('api'), export: queueOf('export') };
  concurrencyLimit.observe((report) => report(state.limit));
  for (const priority of Object.keys(partsOfLimit)) shedCalls.add({ priority }, 0);

  const adapt = (): void => {
    const nowMs = now();
    if (nowMs < state.windowEndMs) return;
    state.windowEndMs = nowMs + windowMs;
    for (const queue of Object.values(queues)) queue.judge();
    if (ended.size === 0) return;
    const slowdown = medianOf(ended);
    usual.learn(slowdown > slowdownMax);
    state.limit = nextLimit(state.limit, inFlight.takeMost(), slowdown);
    ended.clear();
  };
  const hasRoom = (priority: Priority, tenant: string): boolean =>
    inFlight.total() < state.limit * partsOfLimit[priority] ||
    (priority !== 'export' && inFlight.hasFew(tenant, 2 * state.limit));
  return {
    isBusy: () => !hasRoom('export', ''),
    requireRoom: ({ route, tenant }) => {
      adapt();
      queues[priorityOf(route)].requireRoom(tenant);
    },
    run: async ({ route, tenant }, work) => {
      adapt();
      const queue = queues[priorityOf(route)];
      const entered = queue.enter(tenant, () => inFlight.add(tenant, 1));
      if (entered) await entered;
      const startedAtMs = now();
      try {
        return await work();
      } finally {
        inFlight.add(tenant, -1);
        const slowdown = usual.add(route.operationId, now() - startedAtMs);
        const { calls, sum } = ended.get(tenant) ?? { calls: 0, sum: 0 };
        ended.set(tenant, { calls: calls + 1, sum: sum + slowdown });
        queue.countEnd();
        adapt();
        for (const waiting of Object.values(queues)) waiting.startWaiting();
      }
    },
  };
}

function priorityOf({ access, streams }: Call['route']): Priority {
  if (streams) return 'export';
  return access === 'key' ? 'api' : 'conversation';
}

function nextLimit(limit: number, mostAtOnce: number, slowdown: number): number {
  if (slowdown > slowdownMax) {
    return Math.max(limitMin, Math.min(limit, (mostAtOnce * slowdownMax) / slowdown));
  }
  // Carefully where more calls would come, and no further than has been needed: exports, too, must have room.
  if (mostAtOnce > limit * usedPartMin) return Math.min(limitMax, limit * 1.1);
  return limit < limitUnproven ? Math.min(limitUnproven, limit * 1.2) : Math.max(limitUnproven, limit * 0.99);
}

/** Counts the calls in flight. */
function createInFlight() {
  const byTenant = new Map<string, number>();
  // `few`: without what a tenant has beyond `fewCalls`.
  const state = { total: 0, few: 0, most: 0 };
  return {
    total: (): number => state.total,
    /** Whether a tenant has few calls, and all such calls are fewer than `max`. */
    hasFew: (tenant: string, max: number): boolean =>
      (byTenant.get(tenant) ?? 0) < fewCalls && state.few < max,
    add(tenant: string, change: 1 | -1): void {
      state.total += change;
      state.most = Math.max(state.most, state.total);
      const own = (byTenant.get(tenant) ?? 0) + change;
      if (Math.max(own, own - change) <= fewCalls) state.few += change;
      if (own === 0) byTenant.delete(tenant);
      else byTenant.set(tenant, own);
    },
    /** Returns how many there were at once since the last time. */
    takeMost(): number {
      const { most } = state;
      state.most = state.total;
      return most;
    },
  };
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
