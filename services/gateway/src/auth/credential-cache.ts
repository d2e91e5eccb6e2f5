import { createSecretKey, randomBytes } from 'node:crypto';
import type { Principal } from '@parley/contracts/identity/v1/identity';
import { mac } from '@parley/runtime/keyring';

/** What a request proves its owner by. */
export interface Credentials {
  apiKey: string;
  apiSecret: string;
}

/** Credentials that were valid a moment ago, so that a request need not ask. */
export interface CredentialCache {
  /**
   * Whose credentials these are: as is known, else as `ask` says. Many who want to know the same at the same time ask
   * once. Throws what `ask` throws; only valid credentials are kept.
   */
  ownerOf(credentials: Credentials, ask: () => Promise<Principal>): Promise<Principal>;
  /** When this has returned, nothing that was known or asked of the key before counts any more. */
  forget(apiKey: string): void;
}

interface Entry {
  apiKey: string;
  owner: Promise<Principal>;
  /** When it no longer counts, by `now`. */
  endsAt: number;
}

/** How long others may still join an answer under way; later ones ask anew: another copy of the service may be faster. */
const joinMsMax = 500;

/**
 * An empty cache of at most `entriesMax`. `now` is a clock in milliseconds that only goes forward, also while the process
 * is frozen. An answer counts while it is in the map and its time, which began before it was asked for, is not over;
 * it is never used beyond that, nor renewed while it is used.
 */
export function createCredentialCache(now: () => number, entriesMax = 10_000): CredentialCache {
  // In the order in which they were asked for, which is the one in which they end.
  const entries = new Map<string, Entry>();
  // Digests under a key that nobody knows can be compared by the map: how long that takes tells nothing of a secret.
  const digestKey = createSecretKey(randomBytes(32));

  const counts = (digest: string, entry: Entry | undefined): entry is Entry =>
    entry !== undefined && entries.get(digest) === entry && now() < entry.endsAt;

  const askAnew = (digest: string, apiKey: string, ask: () => Promise<Principal>): Promise<Principal> => {
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
      for (let known = entries.get(digest); counts(digest, known); known = entries.get(digest)) {
        const owner = await known.owner;
        // While it was awaited the key may have been forgotten, or the time may have passed; others may have asked anew.
        if (counts(digest, known)) return owner;
      }
      return askAnew(digest, apiKey, ask);
    },
    forget: (apiKey) => {
      for (const [digest, entry] of entries) {
        if (entry.apiKey === apiKey) entries.delete(digest);
      }
    },
  };
}
