import { broadcastSubjects } from '@parley/contracts/subjects';
import type { Broadcast } from '@parley/events/nats';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { detached } from '@parley/runtime/scheduling/work';

/** An interaction that was read, with its version then. Versions only rise. */
export interface Known {
  workspaceId: string;
  id: string;
  version: number;
}

interface WatchOptions {
  /** Returns the rows that have another version now, in one statement. */
  findChanged: (known: Known[]) => Promise<{ id: string; version: number }[]>;
  broadcasts: Broadcast;
  logger: Logger;
}

interface Waiter extends Known {
  untilMs: number;
  end: () => void;
}

/** Not a subject of the event stream. */
const subject = broadcastSubjects.interactionChanged;
/** The interval of expiring waits, and of reading the database without NATS. */
const tickMs = 250;
/** The interval of reading the database with NATS: a frozen connection takes seconds to be detected. */
const readMs = 700;

/**
 * Resolves waits for changes of interactions. Replicas broadcast the ids and versions of their changes. One statement
 * for all waits reads the database, in case a broadcast was lost. A timer runs only while a call waits. A failed read
 * is logged and repeated. Disposing ends every wait, and later ones at once.
 */
export class Watch implements Disposable {
  readonly #options: WatchOptions;
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #recent = createRecentVersions(readMs);
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #wasConnected = false;
  #readAtMs = 0;
  #isClosed = false;
  /** Versions by id, to be broadcast at the end of this turn of the event loop. */
  #unsent = new Map<string, number>();

  constructor(options: WatchOptions) {
    this.#options = options;
    options.broadcasts.subscribe(subject, (message) => {
      for (const line of message.split('\n')) {
        const [, id, version] = /^(\S+) (\d+)$/.exec(line) ?? [];
        if (id !== undefined) this.#note(id, Number(version));
      }
    });
  }

  /**
   * Resolves when the row has another version than `known`, at `untilMs` (epoch) at the latest, or when the signal
   * aborts. It may resolve without a change, so read the row again.
   */
  changed({ workspaceId, id, version }: Known, untilMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || signal.aborted || untilMs <= Date.now()) return Promise.resolve();
    // The row changed while it was being read.
    if (this.#recent.get(id) > version) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        this.#remove(waiter);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const waiter: Waiter = { workspaceId, id, version, untilMs, end };
      signal.addEventListener('abort', end, { once: true });
      this.#add(waiter);
    });
  }

  /** Whether waits end at once from now on. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Announces the committed version of a row, in this process and to the other replicas. */
  wake(id: string, version: number): void {
    this.#note(id, version);
    if (this.#unsent.size === 0) setImmediate(() => this.#broadcast());
    this.#unsent.set(id, Math.max(version, this.#unsent.get(id) ?? 0));
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const waiter of this.#all()) waiter.end();
  }

  #add(waiter: Waiter): void {
    const same = this.#waiting.get(waiter.id);
    if (same) same.add(waiter);
    else this.#waiting.set(waiter.id, new Set([waiter]));
    this.#timer ??= detached(() => setInterval(() => this.#tick(), tickMs));
  }

  #remove(waiter: Waiter): void {
    const same = this.#waiting.get(waiter.id);
    if (same?.delete(waiter) && same.size === 0) this.#waiting.delete(waiter.id);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #all(): Waiter[] {
    return [...this.#waiting.values()].flatMap((same) => [...same]);
  }

  #note(id: string, version: number): void {
    this.#recent.add(id, version);
    for (const waiter of this.#waiting.get(id) ?? []) {
      if (waiter.version < version) waiter.end();
    }
  }

  #tick(): void {
    const now = Date.now();
    for (const waiter of this.#all()) {
      if (waiter.untilMs <= now) waiter.end();
    }
    const isConnected = this.#options.broadcasts.isConnected();
    // Reads once more after a reconnect: broadcasts of the meantime are lost.
    const isDue = !isConnected || !this.#wasConnected || now - this.#readAtMs >= readMs;
    this.#wasConnected = isConnected;
    if (isDue && this.#waiting.size > 0 && !this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const known = this.#all().map(({ workspaceId, id, version }) => ({ workspaceId, id, version }));
      for (const { id, version } of await this.#options.findChanged(known)) this.#note(id, version);
      this.#readAtMs = Date.now();
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'changed interactions could not be read');
    } finally {
      this.#isReading = false;
    }
  }

  #broadcast(): void {
    const lines = [...this.#unsent].map(([id, version]) => `${id} ${version}`);
    this.#unsent = new Map();
    this.#options.broadcasts.broadcast(subject, lines.join('\n'));
  }
}

interface RecentVersions {
  add(id: string, version: number): void;
  /** Returns 0 without a recent version. */
  get(id: string): number;
}

/**
 * Keeps each version for at least `keptMs`. A later `add` drops older ones. `lru-cache` would need a timer for each, or
 * a limit that evicts earlier.
 */
export function createRecentVersions(keptMs: number): RecentVersions {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let sinceMs = Date.now();
  return {
    add: (id, version) => {
      const now = Date.now();
      if (now - sinceMs >= keptMs) {
        previous = current;
        current = new Map();
        sinceMs = now;
      }
      current.set(id, Math.max(version, current.get(id) ?? 0));
    },
    get: (id) => Math.max(current.get(id) ?? 0, previous.get(id) ?? 0),
  };
}
