import { AppError, deadlineExceeded, unavailable } from '../errors.ts';
import { type RefusalReason, refusalReasons, refusedWork, waitingWork } from '../metrics/process-metrics.ts';
import { currentWork } from './work.ts';

/** Bounds the memory of waiting work. The bursts that the rate limits allow stay far below. */
export const waitingPerTenantMax = 5_000;
/**
 * How much more than others a tenant can have used, in milliseconds. It may use slots that nobody else wants without
 * waiting for as long afterwards.
 */
const leadMsMax = 1_000;
/** How long work waits at most. A client that gets its answer later has mostly given up. */
export const waitMsMax = 4_000;

interface FairQueueOptions {
  /** The class of the work, for metrics. */
  name: string;
  inFlightMax: number;
  /** How much work of one tenant runs at once. Less than `inFlightMax` keeps capacity for the others. */
  inFlightPerTenantMax: number;
  waitingMax?: number;
  /** A clock in milliseconds. */
  now?: () => number;
}

/** The right to run one piece of work. */
export interface Slot {
  /** Ends the work. Idempotent. */
  release(): void;
  /** Ends the work, and keeps the slot for `factor` times as long as it took: others have the event loop meanwhile. */
  rest(factor: number): void;
}

/** The work of one tenant. Exists while there is any. */
interface Share {
  tenant: string;
  /** What starts each piece of waiting work, in the order of arrival. */
  waiting: Set<(slot: Slot) => void>;
  inFlight: number;
  /** The time that its slots were used, less the start times of its work in progress. */
  usedMs: number;
  ended: number;
}

/**
 * A queue that gives each tenant an equal share of the time of its slots: a free slot goes to the tenant that has used
 * the least since it has had work. Work whose caller has given up leaves the queue and never starts.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #now: () => number;
  readonly #shares = new Map<string, Share>();
  #inFlight = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    const { name } = options;
    for (const reason of refusalReasons) refusedWork.add({ class: name, reason }, 0);
    waitingWork.observe((report) => report(this.#waiting, { class: name }));
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Calls `work`, a part of the current work, in a slot. Throws what `enter` throws. */
  async run<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const slot = await this.enter();
    try {
      return await work();
    } finally {
      slot.release();
    }
  }

  /**
   * Resolves when a part of the current work may run, within `mayWaitMs`. RESOURCE_EXHAUSTED `workspace-busy` if too
   * much work of its tenant waits, or this work would wait too long behind it. UNAVAILABLE if none of the tenant's work
   * has ended meanwhile. DEADLINE_EXCEEDED if the caller gives up first.
   */
  async enter(mayWaitMs = waitMsMax): Promise<Slot> {
    const { tenant, signal } = currentWork();
    const { name, waitingMax = waitingPerTenantMax } = this.#options;
    if (signal?.aborted) {
      this.#count('given_up');
      throw deadlineExceeded(new Error(`the caller gave up before its ${name} began`));
    }
    const share = this.#shareOf(tenant);
    if (share.waiting.size === 0 && this.#mayStart(share)) return this.#start(share);
    if (share.waiting.size >= waitingMax) {
      this.#count('busy');
      throw workspaceBusy();
    }
    return this.#wait(share, signal, mayWaitMs);
  }

  /** A tenant that begins starts with the lowest use of all tenants, so it gets no more than its share. */
  #shareOf(tenant: string): Share {
    let share = this.#shares.get(tenant);
    if (!share) {
      const nowMs = this.#now();
      const least = Math.min(...[...this.#shares.values()].map((other) => usedMs(other, nowMs)));
      const used = Number.isFinite(least) ? least : 0;
      share = { tenant, waiting: new Set(), inFlight: 0, usedMs: used, ended: 0 };
      this.#shares.set(tenant, share);
    }
    return share;
  }

  #mayStart(share: Share): boolean {
    const { inFlightMax, inFlightPerTenantMax } = this.#options;
    return this.#inFlight < inFlightMax && share.inFlight < inFlightPerTenantMax;
  }

  #start(share: Share): Slot {
    const startedAtMs = this.#now();
    this.#inFlight += 1;
    share.inFlight += 1;
    share.usedMs -= startedAtMs;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#inFlight -= 1;
      share.inFlight -= 1;
      share.usedMs += this.#now();
      share.ended += 1;
      this.#forgetIfIdle(share);
      this.#startWaiting();
    };
    return { release, rest: (factor) => void setTimeout(release, factor * (this.#now() - startedAtMs)) };
  }

  #startWaiting(): void {
    while (this.#waiting > 0) {
      const nowMs = this.#now();
      const next = this.#neediest(nowMs);
      const [start] = next?.waiting ?? [];
      if (!next || !start) return;
      const most = usedMs(next, nowMs) + leadMsMax;
      for (const share of this.#shares.values()) share.usedMs -= Math.max(0, usedMs(share, nowMs) - most);
      start(this.#start(next));
    }
  }

  /** Returns the waiting share that has used the least. The process comes first: it works for all tenants. */
  #neediest(nowMs: number): Share | undefined {
    let least: Share | undefined;
    for (const share of this.#shares.values()) {
      if (share.waiting.size === 0 || !this.#mayStart(share)) continue;
      if (share.tenant === '') return share;
      if (!least || usedMs(share, nowMs) < usedMs(least, nowMs)) least = share;
    }
    return least;
  }

  #wait(share: Share, signal: AbortSignal | undefined, mayWaitMs: number): Promise<Slot> {
    const { name } = this.#options;
    return new Promise((resolve, reject) => {
      const endedBefore = share.ended;
      const leave = (): void => {
        this.#waiting -= 1;
        share.waiting.delete(start);
        this.#forgetIfIdle(share);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const start = (slot: Slot): void => {
        leave();
        resolve(slot);
      };
      const giveUp = (): void => {
        leave();
        this.#count('given_up');
        reject(deadlineExceeded(new Error(`the caller gave up while its ${name} waited`)));
      };
      const timer = setTimeout(() => {
        leave();
        const isBusy = share.tenant !== '' && share.ended > endedBefore;
        this.#count(isBusy ? 'busy' : 'stuck');
        reject(isBusy ? workspaceBusy() : unavailable(new Error(`the ${name} waited too long`)));
      }, mayWaitMs);
      signal?.addEventListener('abort', giveUp);
      share.waiting.add(start);
      this.#waiting += 1;
    });
  }

  #forgetIfIdle(share: Share): void {
    if (share.inFlight === 0 && share.waiting.size === 0) this.#shares.delete(share.tenant);
  }

  #count(reason: RefusalReason): void {
    refusedWork.add({ class: this.#options.name, reason });
  }
}

function usedMs(share: Share, nowMs: number): number {
  return share.usedMs + share.inFlight * nowMs;
}

/** Returns 429: the tenant uses its whole share. */
function workspaceBusy(): AppError {
  const message = 'Too much work of this workspace is waiting';
  return new AppError('resource_exhausted', 'workspace-busy', message, { retryAfterSeconds: 1 });
}
