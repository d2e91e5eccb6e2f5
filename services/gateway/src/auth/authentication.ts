import { isApiKey, isApiSecret } from '@parley/contracts/api-key';
import type { Principal } from '@parley/contracts/identity/v1/identity';
import type { CallOptions } from '@parley/rpc/definition';
import { invalidCredentials } from '@parley/runtime/errors';
import { type CredentialCache, type Credentials, isRefusal } from './credential-cache.ts';
import type { Peers } from '../peers.ts';

/** Returns the principal of an Authorization header. */
export type Authenticate = (
  authorization: string | undefined,
  rpc: () => CallOptions,
  failures: Failures,
) => Promise<Principal>;

/** The failed authentications of the caller's address and of the key that it uses. */
export interface Failures {
  /** Counts one, of the key too if there is one. 429 beyond the limit. */
  count(apiKey?: string): void;
  /** Runs a check of credentials. It waits behind others of the address if there were too many failures. */
  check<Result>(check: () => Promise<Result>, apiKey?: string): Promise<Result>;
}

interface Dependencies {
  identity: Peers['identity'];
  cache: CredentialCache;
  /** The name of the cache at identity. */
  holder: string;
}

/**
 * Returns authentication by API key. 401, the same for every fault of the credentials; 429 after too many failures.
 * Well-formed credentials are verified before they are counted, so valid ones pass despite failures from the same
 * address. Those that were valid within the last hour do not wait behind such failures either.
 */
export function createAuthenticate({ identity, cache, holder }: Dependencies): Authenticate {
  return async (authorization, rpc, failures) => {
    const { apiKey, apiSecret = '' } = parseBasic(authorization) ?? {};
    const wellFormedKey = apiKey !== undefined && isApiKey(apiKey) ? apiKey : undefined;
    if (wellFormedKey !== undefined && isApiSecret(apiSecret)) {
      const credentials = { apiKey: wellFormedKey, apiSecret };
      const ask = () => identity.authenticate({ ...credentials, holder, checksScopes: true }, rpc());
      try {
        return await cache.ownerOf(credentials, (wereValid) =>
          wereValid ? ask() : failures.check(ask, wellFormedKey),
        );
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    failures.count(wellFormedKey);
    throw invalidCredentials();
  };
}

// A byte order mark stays a character. No key has one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns `Basic` credentials (RFC 7617), or undefined if they are malformed. */
export function parseBasic(authorization: string | undefined): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(authorization ?? '')?.[1];
  if (!encoded) return undefined;
  try {
    const decoded = decoder.decode(Buffer.from(encoded, 'base64'));
    const colon = decoded.indexOf(':');
    if (colon < 1 || decoded.includes('\0')) return undefined;
    return { apiKey: decoded.slice(0, colon), apiSecret: decoded.slice(colon + 1) };
  } catch {
    return undefined;
  }
}
