import { AppError, deadlineExceeded, unavailable } from './errors.ts';
import { refusalReasons, refusedWork, waitingWork } from './queue-metrics.ts';
import { currentScope } from './work-scope.ts';

/** Bounds the memory of waiting work. Legal bursts of one key stay far below. */
export const waitingPerTenantMax = 5_000;
/** How long work waits at most. A client that gets its answer later has mostly given up. */
export const waitMsMax = 4_000;

interface FairQueueOptions {
  /** The class of the work, for metrics. */
  name: string;
  /** How much work runs at once. */
  inFlightMax: number;
  /** How much work of one tenant runs at once. Less than `inFlightMax` keeps capacity for the others. */
  inFlightPerTenantMax: number;
  /** How much work of one tenant waits. */
  waitingMax?: number;
  /** A clock in milliseconds. */
  now?: () => number;
}

/** The right to run one piece of work. */
export interface Slot {
  /** Ends the work. Idempotent. */
  release(): void;
  /**
   * Ends the work, and keeps the slot for a multiple of the time that it took: the event loop belongs to others
   * meanwhile.
   */
  rest(factor: number): void;
}

/** A queue that gives each tenant an equal share of the time of its slots. */
export interface FairQueue {
  /**
   * Resolves when work of the current scope may run. RESOURCE_EXHAUSTED `workspace-busy` if too much work of the tenant
   * waits, or this work would wait too long behind it. UNAVAILABLE if none of the tenant's work has ended meanwhile.
   * DEADLINE_EXCEEDED if the caller gives up first.
   */
  enter(): Promise<Slot>;
  /** Runs `work` in a slot. */
  run<Result>(work: () => Promise<Result> | Result): Promise<Result>;
  /** Returns how much work waits. */
  waiting(): number;
}

interface Waiter {
  start(slot: Slot): void;
}

/** The work of one tenant. Exists while there is any. */
interface Share {
  /** In the order of arrival. */
  waiting: Set<Waiter>;
  inFlight: number;
  /** The time that its slots were used, less the instants at which those in flight began. */
  usedMs: number;
  /** How many of its slots were released. */
  ended: number;
}

/**
 * Returns a queue. A free slot goes to the tenant that has used the least time of slots since it has had work. Work
 * whose caller has given up leaves the queue and never starts.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { name, inFlightMax, inFlightPerTenantMax, waitingMax = waitingPerTenantMax } = options;
  const { now = () => performance.now() } = options;
  const shares = new Map<string, Share>();
  let inFlight = 0;
  let waiting = 0;
  const usedMs = (share: Share, nowMs: number): number => share.usedMs + share.inFlight * nowMs;

  /** A tenant that begins has used as much as the one that has used the least, so it gets no more than its share. */
  const shareOf = (tenant: string): Share => {
    let share = shares.get(tenant);
    if (!share) {
      const nowMs = now();
      const least = Math.min(...[...shares.values()].map((other) => usedMs(other, nowMs)));
      share = { waiting: new Set(), inFlight: 0, usedMs: Number.isFinite(least) ? least : 0, ended: 0 };
      shares.set(tenant, share);
    }
    return share;
  };

  const forgetIfIdle = (tenant: string, share: Share): void => {
    if (share.inFlight === 0 && share.waiting.size === 0) shares.delete(tenant);
  };

  const mayStart = (share: Share): boolean => inFlight < inFlightMax && share.inFlight < inFlightPerTenantMax;

  const start = (tenant: string, share: Share): Slot => {
    inFlight += 1;
    share.inFlight += 1;
    const startedAtMs = now();
    share.usedMs -= startedAtMs;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      inFlight -= 1;
      share.inFlight -= 1;
      share.usedMs += now();
      share.ended += 1;
      forgetIfIdle(tenant, share);
      startWaiting();
    };
    return { release, rest: (factor) => void setTimeout(release, factor * (now() - startedAtMs)) };
  };

  const startWaiting = (): void => {
    while (waiting > 0) {
      const nowMs = now();
      let next: [string, Share] | undefined;
      for (const entry of shares) {
        const [, share] = entry;
        if (share.waiting.size === 0 || !mayStart(share)) continue;
        if (!next || usedMs(share, nowMs) < usedMs(next[1], nowMs)) next = entry;
      }
      const [waiter] = next?.[1].waiting ?? [];
      if (!next || !waiter) return;
      waiter.start(start(...next));
    }
  };

  const refuse = (reason: (typeof refusalReasons)[number]): void => refusedWork.add({ class: name, reason });

  const wait = (tenant: string, share: Share, signal: AbortSignal | undefined): Promise<Slot> =>
    new Promise((resolve, reject) => {
      const endedBefore = share.ended;
      const leave = (): void => {
        waiting -= 1;
        share.waiting.delete(waiter);
        forgetIfIdle(tenant, share);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        refuse('given_up');
        reject(deadlineExceeded(new Error(`the caller gave up while its ${name} waited`)));
      };
      const timer = setTimeout(() => {
        leave();
        const isBusy = tenant !== '' && share.ended > endedBefore;
        refuse(isBusy ? 'busy' : 'stuck');
        reject(isBusy ? workspaceBusy() : unavailable(new Error(`the ${name} waited too long`)));
      }, waitMsMax);
      const waiter: Waiter = {
        start: (slot) => {
          leave();
          resolve(slot);
        },
      };
      signal?.addEventListener('abort', giveUp);
      share.waiting.add(waiter);
      waiting += 1;
    });

  const enter = async (): Promise<Slot> => {
    const { tenant, signal } = currentScope();
    if (signal?.aborted) {
      refuse('given_up');
      throw deadlineExceeded(new Error(`the caller gave up before its ${name} began`));
    }
    const share = shareOf(tenant);
    if (share.waiting.size === 0 && mayStart(share)) return start(tenant, share);
    if (share.waiting.size >= waitingMax) {
      refuse('busy');
      throw workspaceBusy();
    }
    return wait(tenant, share, signal);
  };

  for (const reason of refusalReasons) refusedWork.add({ class: name, reason }, 0);
  waitingWork.observe((report) => report(waiting, { class: name }));
  return {
    enter,
    run: async (work) => {
      const slot = await enter();
      try {
        return await work();
      } finally {
        slot.release();
      }
    },
    waiting: () => waiting,
  };
}

/** Returns 429: the tenant uses its whole share. */
function workspaceBusy(): AppError {
  const message = 'Too much work of this workspace is waiting';
  return new AppError('resource_exhausted', 'workspace-busy', message, { retryAfterSeconds: 1 });
}
