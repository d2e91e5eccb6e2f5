import { hash, randomBytes } from 'node:crypto';
import { endsBy } from '@parley/runtime/scheduling/ends-by';
import { AppError, invalidCredentials } from '@parley/runtime/errors';
import type { Principal } from '../http/request/principal.ts';
import { LRUCache } from 'lru-cache';

export interface Credentials {
  /** The API key, or `sessionLease` of a session. Leases are on it. */
  name: string;
  secret: string;
}

/** Credentials that were valid shortly before. Requests with them do not ask identity. */
export interface CredentialCache {
  /**
   * Returns the principal of the credentials, from the cache or from `ask`. Concurrent requests share one call of
   * `ask`, which gets whether the credentials were valid within the last hour. Throws what `ask` throws, and throws
   * again for ten seconds that credentials are invalid.
   */
  ownerOf(credentials: Credentials, ask: Ask): Promise<Principal>;
  /** Evicts a key or session. Calls of `ownerOf` after this use neither earlier nor pending answers. */
  forget(name: string): void;
}

type Ask = (wereValid: boolean) => Promise<Principal>;

interface Entry {
  name: string;
  owner: Promise<Principal>;
  /** When it expires, by `now`. */
  endsAt: number;
}

/** How long requests may join a pending call. Later ones start another: another replica may be faster. */
const joinMsMax = 500;

/**
 * How long credentials that identity has rejected are rejected without a call. They never become valid: a secret is
 * random, and known to nobody before it is valid. The time limits the effect of a fault of ours.
 */
export const refusedMs = 10_000;
/** How long it is known that credentials were valid. They must still be confirmed, but not behind guesses. */
export const confirmedMs = 3_600_000;

/**
 * Returns an empty cache of at most `entriesMax`. `now` is a monotonic clock in milliseconds that also runs while the
 * process is frozen. The lifetime of an answer begins before its request. Using an answer does not extend it.
 */
export function createCredentialCache(now: () => number, entriesMax = 10_000): CredentialCache {
  // The library does not expire them: the end is exact, and is known when the answer brings its lifetime.
  const entries = new LRUCache<string, Entry>({ max: entriesMax });
  // The map may compare digests with a secret salt: the time that it takes reveals nothing about a secret.
  const salt = randomBytes(32).toString('base64');

  const remembered = (ttl: number) => new LRUCache<string, true>({ max: entriesMax, ttl, ...endsBy(now) });
  const refused = remembered(refusedMs);
  const confirmed = remembered(confirmedMs);

  const isCurrent = (digest: string, entry: Entry | undefined): entry is Entry =>
    entry !== undefined && entries.get(digest) === entry && now() < entry.endsAt;

  const askAndCache = (digest: string, name: string, ask: Ask): Promise<Principal> => {
    const askedAt = now();
    const owner = ask(confirmed.has(digest)).then(
      (found) => {
        entry.endsAt = askedAt + found.cacheableMs;
        confirmed.set(digest, true);
        return found;
      },
      (error: unknown) => {
        if (entries.get(digest) === entry) entries.delete(digest);
        if (isRefusal(error)) {
          refused.set(digest, true);
          confirmed.delete(digest);
        }
        throw error;
      },
    );
    const entry: Entry = { name, owner, endsAt: askedAt + joinMsMax };
    entries.set(digest, entry);
    return owner;
  };

  return {
    ownerOf: async ({ name, secret }, ask) => {
      const digest = hash('sha256', `${salt}${name}:${secret}`, 'base64');
      if (refused.has(digest)) throw invalidCredentials();
      for (let known = entries.get(digest); isCurrent(digest, known); known = entries.get(digest)) {
        const owner = await known.owner;
        // Meanwhile the key may have been evicted, the answer may have expired, or others may have asked again.
        if (isCurrent(digest, known)) return owner;
      }
      return askAndCache(digest, name, ask);
    },
    forget: (name) => {
      // The library does not say what an iteration returns after a deletion.
      for (const [digest, entry] of Array.from(entries)) if (entry.name === name) entries.delete(digest);
    },
  };
}

/** Returns whether identity has rejected the credentials. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.type === 'invalid-credentials';
}
