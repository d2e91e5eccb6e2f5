import type { Logger } from '@parley/runtime/logger';

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
  /** The row has that version now: spares those who wait in this process the time until the next question. */
  wake(id: string, version: number): void;
}

interface WatchOptions {
  /** Which of the rows have another version now, in one statement. */
  findChanged: (known: Known[]) => Promise<{ id: string; version: number }[]>;
  logger: Logger;
  intervalMs?: number;
}

interface Waiter extends Known {
  untilMs: number;
  end: () => void;
}

/**
 * One timer for all who wait, running only while somebody does: each tick ends what is over and asks once for all
 * the others. A failed question is logged and asked again with the next tick.
 */
export function startWatch({ findChanged, logger, intervalMs = 250 }: WatchOptions): Watch {
  const waiting = new Map<string, Set<Waiter>>();
  let timer: NodeJS.Timeout | undefined;
  let asking = false;
  let closed = false;

  const add = (waiter: Waiter): void => {
    const same = waiting.get(waiter.id);
    if (same) same.add(waiter);
    else waiting.set(waiter.id, new Set([waiter]));
    timer ??= setInterval(tick, intervalMs);
  };

  const remove = (waiter: Waiter): void => {
    const same = waiting.get(waiter.id);
    if (same?.delete(waiter) && same.size === 0) waiting.delete(waiter.id);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const all = (): Waiter[] => [...waiting.values()].flatMap((same) => [...same]);

  const wake = (id: string, version: number): void => {
    for (const waiter of waiting.get(id) ?? []) {
      if (waiter.version < version) waiter.end();
    }
  };

  const ask = async (): Promise<void> => {
    asking = true;
    try {
      const known = all().map(({ workspaceId, id, version }) => ({ workspaceId, id, version }));
      for (const { id, version } of await findChanged(known)) wake(id, version);
    } catch (error) {
      logger.warn({ err: error }, 'could not ask for changed interactions');
    } finally {
      asking = false;
    }
  };

  const tick = (): void => {
    const now = Date.now();
    for (const waiter of all()) {
      if (waiter.untilMs <= now) waiter.end();
    }
    if (waiting.size > 0 && !asking) void ask();
  };

  return {
    changed: ({ workspaceId, id, version }, untilMs, signal) => {
      if (closed || signal.aborted || untilMs <= Date.now()) return Promise.resolve();
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
    wake,
    [Symbol.dispose]: () => {
      closed = true;
      for (const waiter of all()) waiter.end();
    },
  };
}
