import { setTimeout } from 'node:timers/promises';
import { evictionAnswer, evictionSubject } from '@parley/contracts/subjects';
import type { Connection } from '@parley/nats/connection';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Kysely } from 'kysely';
import { insertLease, insertPortalLease, insertSessionLease, type Lease, listLeases } from './lease-store.ts';
import type { Tables } from '../schema.ts';

/** The length of a lease, by the clock of the database. */
const leaseMs = 3_000;
/** For how long its holder relies on it, counted from before the call. Always less than the lease lasts. */
export const cacheableMs = 2_700;

/**
 * The gateways that may cache a key or a session: the promise of exact revocation. A gateway caches a key only with a
 * lease on it, and for less time than the lease lasts. After a change of a key, `end` resolves when no gateway relies
 * on the old state.
 */
export interface Leases {
  /** Grants a lease on the key. Returns false when the row has another version than the one that was compared. */
  take(key: { apiKey: string; version: number }, holder: string): Promise<boolean>;
  /** As `take`, for a session: `version` is the version of its person. */
  takeForSession(session: { sessionId: string; version: number }, holder: string): Promise<boolean>;
  /** As `take`, for a session of the portal. Returns false when the session has ended or its link was revoked. */
  takeForPortal(sessionId: string, holder: string): Promise<boolean>;
  /**
   * Call it after a change of the credential, an API key or `sessionLease`, is committed. Resolves when each holder
   * of a lease on it has confirmed that it has evicted it, or the lease has expired. Never rejects, and takes at most
   * as long as a lease: by then, all leases from before the change have expired.
   */
  end(credential: string): Promise<void>;
  /** Resolves when all leases from before the call have expired. `cause` is why it is not known which to end. */
  expire(cause: unknown): Promise<void>;
}

const unreadable = 'the leases on a credential cannot be read: waited until all expired';

/** The timeout of one request to a holder, and the pause before the next. */
const askMsMax = 500;
const pauseMs = 50;

/** Returns leases that are stored in the database. Their holders are asked over NATS. */
export function createLeases(db: Kysely<Tables>, nats: Pick<Connection, 'request'>, logger: Logger): Leases {
  const isEvicted = async (credential: string, holder: string, timeoutMs: number): Promise<boolean> => {
    try {
      return (await nats.request(evictionSubject(holder), credential, timeoutMs)) === evictionAnswer;
    } catch {
      return false;
    }
  };

  const endOne = async (
    credential: string,
    { holder, remainingMs }: Lease,
    signal: AbortSignal,
  ): Promise<void> => {
    // The time left can be too long if the clock was set back.
    const waitMs = Math.min(remainingMs, leaseMs);
    const endsAt = performance.now() + waitMs;
    for (let leftMs = waitMs; leftMs > 0; leftMs = endsAt - performance.now()) {
      if (await isEvicted(credential, holder, Math.min(leftMs, askMsMax))) return;
      await setTimeout(pauseMs, undefined, { signal });
    }
    logger.warn({ holder, waitMs }, 'a gateway did not confirm an eviction: waited until its lease expired');
  };

  return {
    take: (key, holder) => insertLease(db, key, holder, leaseMs),
    takeForSession: (session, holder) => insertSessionLease(db, session, holder, leaseMs),
    takeForPortal: (sessionId, holder) => insertPortalLease(db, sessionId, holder, leaseMs),
    expire: (cause) => {
      logger.warn({ err: cause }, unreadable);
      return setTimeout(leaseMs);
    },
    end: async (credential) => {
      const ended = new AbortController();
      const { signal } = ended;
      const allExpired = setTimeout(leaseMs, undefined, { signal });
      const eachEnded = listLeases(db, credential).then((leases) =>
        Promise.all(leases.map((lease) => endOne(credential, lease, signal))),
      );
      try {
        await Promise.race([allExpired, eachEnded]);
      } catch (error) {
        logger.warn({ err: error }, unreadable);
        await allExpired;
      } finally {
        ended.abort();
        await allExpired.catch(() => {});
      }
    },
  };
}
