import { createSecretKey, randomBytes } from 'node:crypto';
import type { Principal } from '@parley/contracts/identity/v1/identity';
import { mac } from '@parley/runtime/keyring';

/** The credentials of a request. */
export interface Credentials {
  apiKey: string;
  apiSecret: string;
}

/** Credentials that were valid shortly before. Requests with them do not ask identity. */
export interface CredentialCache {
  /**
   * Returns the principal of the credentials, from the cache or from `ask`. Concurrent requests share one call of
   * `ask`. Throws what `ask` throws. Only valid credentials are cached.
   */
  ownerOf(credentials: Credentials, ask: () => Promise<Principal>): Promise<Principal>;
  /** Evicts a key. Calls of `ownerOf` after this use neither earlier answers nor those still awaited. */
  forget(apiKey: string): void;
}

interface Entry {
  apiKey: string;
  owner: Promise<Principal>;
  /** When it expires, by `now`. */
  endsAt: number;
}

/** How long requests may join a pending call. Later ones start another: another replica may be faster. */
const joinMsMax = 500;

/**
 * Returns an empty cache of at most `entriesMax`. `now` is a monotonic clock in milliseconds that also runs while the
 * process is frozen. The lifetime of an answer begins before its request. Using an answer does not extend it.
 */
export function createCredentialCache(now: () => number, entriesMax = 10_000): CredentialCache {
  // In the order of their requests, which is that of their expiry.
  const entries = new Map<string, Entry>();
  // The map may compare digests under a random key: the time that it takes reveals nothing about a secret.
  const digestKey = createSecretKey(randomBytes(32));

  const isCurrent = (digest: string, entry: Entry | undefined): entry is Entry =>
    entry !== undefined && entries.get(digest) === entry && now() < entry.endsAt;

  const askAndCache = (digest: string, apiKey: string, ask: () => Promise<Principal>): Promise<Principal> => {
    const askedAt = now();
    const owner = ask().then(
      (found) => {
        entry.endsAt = askedAt + found.cacheableMs;
        return found;
      },
      (error: unknown) => {
        if (entries.get(digest) === entry) entries.delete(digest);
        throw error;
      },
    );
    const entry: Entry = { apiKey, owner, endsAt: askedAt + joinMsMax };
    entries.delete(digest);
    for (const [oldest] of entries) {
      if (entries.size < entriesMax) break;
      entries.delete(oldest);
    }
    entries.set(digest, entry);
    return owner;
  };

  return {
    ownerOf: async ({ apiKey, apiSecret }, ask) => {
      const digest = mac(digestKey, `${apiKey}:${apiSecret}`).toString('base64');
      for (let known = entries.get(digest); isCurrent(digest, known); known = entries.get(digest)) {
        const owner = await known.owner;
        // Meanwhile the key may have been evicted, the answer may have expired, or others may have asked again.
        if (isCurrent(digest, known)) return owner;
      }
      return askAndCache(digest, apiKey, ask);
    },
    forget: (apiKey) => {
      for (const [digest, entry] of entries) {
        if (entry.apiKey === apiKey) entries.delete(digest);
      }
    },
  };
}
