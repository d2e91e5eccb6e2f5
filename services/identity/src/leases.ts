import { setTimeout } from 'node:timers/promises';
import { forgetSubject } from '@parley/contracts/revocation';
import type { Connection } from '@parley/events/connection';
import type { Logger } from '@parley/runtime/logger';
import type { Kysely } from 'kysely';
import { insertLease, type Lease, listLeases } from './lease-store.ts';
import type { Tables } from './schema.ts';

/** How long a lease lasts, by the clock of the database. */
const leaseMs = 3_000;
/** How long its holder relies on it, counted from before it asked: always less than the lease lasts. */
export const cacheableMs = 2_700;

/**
 * Which gateway may take which key as valid without asking: the promise of exact revocation. A gateway caches no key
 * without a lease on it, and for less time than the lease lasts. Who changes a key calls `end` afterwards, and answers
 * when that has resolved: no gateway relies any more on what was valid before.
 */
export interface Leases {
  /** Lets the holder rely on the key, if its row still has the version that was compared; false when it has not. */
  take(key: { apiKey: string; version: number }, holder: string): Promise<boolean>;
  /**
   * To be called once a change of the key is committed. Resolves when every holder of a lease on it has confirmed that it
   * has forgotten the key, or its lease is over. Never rejects, and takes no longer than a lease lasts: by then all
   * leases from before the change are over, whatever else is away.
   */
  end(apiKey: string): Promise<void>;
}

/** How long an answer is waited for, and how long until it is asked again. */
const askMsMax = 500;
const pauseMs = 50;

/** Leases in a database, whose holders are asked over NATS. */
export function createLeases(db: Kysely<Tables>, nats: Pick<Connection, 'ask'>, logger: Logger): Leases {
  /** Whether the holder has confirmed that it has forgotten the key. */
  const isForgotten = async (apiKey: string, holder: string, timeoutMs: number): Promise<boolean> => {
    try {
      return (await nats.ask(forgetSubject(holder), apiKey, timeoutMs)) === apiKey;
    } catch {
      return false;
    }
  };

  const endOne = async (
    apiKey: string,
    { holder, remainingMs }: Lease,
    signal: AbortSignal,
  ): Promise<void> => {
    // A clock that was set back would make it longer.
    const waitMs = Math.min(remainingMs, leaseMs);
    const endsAt = performance.now() + waitMs;
    for (let leftMs = waitMs; leftMs > 0; leftMs = endsAt - performance.now()) {
      if (await isForgotten(apiKey, holder, Math.min(leftMs, askMsMax))) return;
      await setTimeout(pauseMs, undefined, { signal });
    }
    logger.warn(
      { holder, waitMs },
      'a gateway did not confirm that it has forgotten a key: its lease had to end',
    );
  };

  return {
    take: (key, holder) => insertLease(db, key, holder, leaseMs),
    end: async (apiKey) => {
      const ended = new AbortController();
      const { signal } = ended;
      const allAreOver = setTimeout(leaseMs, undefined, { signal });
      const eachIsOver = listLeases(db, apiKey).then((leases) =>
        Promise.all(leases.map((lease) => endOne(apiKey, lease, signal))),
      );
      try {
        await Promise.race([allAreOver, eachIsOver]);
      } catch (error) {
        logger.warn({ err: error }, 'the leases on a key cannot be read: all of them had to end');
        await allAreOver;
      } finally {
        ended.abort();
        await allAreOver.catch(() => {});
      }
    },
  };
}
