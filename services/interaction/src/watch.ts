import type { Hearsay } from '@parley/events/nats';
import type { Logger } from '@parley/runtime/logger';
import { rememberVersions } from './recent-versions.ts';

/** An interaction as somebody has read it; its version only rises. */
export interface Known {
  workspaceId: string;
  id: string;
  version: number;
}

/** Tells those who wait for an interaction when it has changed. Disposing of it ends every wait, also later ones. */
export interface Watch extends Disposable {
  /**
   * Resolves when the row is no longer as `known`, at `untilMs` (epoch) at the latest, or when the signal aborts.
   * Whoever asked reads the row again: it may have been woken for nothing.
   */
  changed(known: Known, untilMs: number, signal: AbortSignal): Promise<void>;
  /** The row has that version now, committed: tells those who wait for it here, and the other copies. */
  wake(id: string, version: number): void;
}

interface WatchOptions {
  /** Which of the rows have another version now, in one statement. */
  findChanged: (known: Known[]) => Promise<{ id: string; version: number }[]>;
  /** By which the copies of the service tell each other of changes. */
  hearsay: Hearsay;
  logger: Logger;
}

interface Waiter extends Known {
  untilMs: number;
  end: () => void;
}

/** Outside of what the event stream takes in. */
const subject = 'parley-interaction.changed';
/** What is over is ended, and without NATS the database is asked, so often. */
const tickMs = 250;
/** While NATS is there, the database is asked only for what was not heard of: it may be frozen, which takes seconds to be known. */
const askingMs = 700;

/**
 * Changes are heard of from whoever makes them, in this copy or another; ids and versions are all that is said. Behind that
 * stands the database, asked once for all who wait. One timer, running only while somebody waits. A failed question is
 * logged and asked again with the next tick.
 */
export function startWatch({ findChanged, hearsay, logger }: WatchOptions): Watch {
  const waiting = new Map<string, Set<Waiter>>();
  const recent = rememberVersions(askingMs);
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let hasHeard = false;
  let askedAtMs = 0;
  let isClosed = false;
  /** Changes that the others are told of with the end of this turn of the event loop: versions by id. */
  let untold = new Map<string, number>();

  const add = (waiter: Waiter): void => {
    const same = waiting.get(waiter.id);
    if (same) same.add(waiter);
    else waiting.set(waiter.id, new Set([waiter]));
    timer ??= setInterval(tick, tickMs);
  };

  const remove = (waiter: Waiter): void => {
    const same = waiting.get(waiter.id);
    if (same?.delete(waiter) && same.size === 0) waiting.delete(waiter.id);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const all = (): Waiter[] => [...waiting.values()].flatMap((same) => [...same]);

  const hear = (id: string, version: number): void => {
    recent.add(id, version);
    for (const waiter of waiting.get(id) ?? []) {
      if (waiter.version < version) waiter.end();
    }
  };

  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      const known = all().map(({ workspaceId, id, version }) => ({ workspaceId, id, version }));
      for (const { id, version } of await findChanged(known)) hear(id, version);
      askedAtMs = Date.now();
    } catch (error) {
      logger.warn({ err: error }, 'could not ask for changed interactions');
    } finally {
      isAsking = false;
    }
  };

  const tick = (): void => {
    const now = Date.now();
    for (const waiter of all()) {
      if (waiter.untilMs <= now) waiter.end();
    }
    // Once more after NATS has come back: what was said in between was not heard.
    const isDue = !hearsay.isConnected() || !hasHeard || now - askedAtMs >= askingMs;
    hasHeard = hearsay.isConnected();
    if (isDue && waiting.size > 0 && !isAsking) void ask();
  };

  const tell = (): void => {
    const news = [...untold].map(([id, version]) => `${id} ${version}`);
    untold = new Map();
    hearsay.tell(subject, news.join('\n'));
  };

  hearsay.listen(subject, (news) => {
    for (const line of news.split('\n')) {
      const [, id, version] = /^(\S+) (\d+)$/.exec(line) ?? [];
      if (id !== undefined) hear(id, Number(version));
    }
  });

  return {
    changed: ({ workspaceId, id, version }, untilMs, signal) => {
      if (isClosed || signal.aborted || untilMs <= Date.now()) return Promise.resolve();
      // It was heard of while the row was being read.
      if (recent.get(id) > version) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          remove(waiter);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const waiter: Waiter = { workspaceId, id, version, untilMs, end };
        signal.addEventListener('abort', end, { once: true });
        add(waiter);
      });
    },
    wake: (id, version) => {
      hear(id, version);
      if (untold.size === 0) setImmediate(tell);
      untold.set(id, Math.max(version, untold.get(id) ?? 0));
    },
    [Symbol.dispose]: () => {
      isClosed = true;
      for (const waiter of all()) waiter.end();
    },
  };
}
