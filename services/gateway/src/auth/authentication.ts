import { isApiKey } from '@parley/contracts/api-key';
import type { Principal } from '@parley/contracts/identity/v1/identity';
import type { CallOptions } from '@parley/rpc/definition';
import { AppError, invalidCredentials } from '@parley/runtime/errors';
import type { CredentialCache, Credentials } from './credential-cache.ts';
import type { Peers } from '../peers.ts';

/** Returns the principal of an Authorization header. */
export type Authenticate = (
  authorization: string | undefined,
  rpc: () => CallOptions,
  countFailure: CountFailure,
) => Promise<Principal>;

/** Counts a failed authentication and the key that it used, if any. 429 beyond the limit. */
export type CountFailure = (apiKey?: string) => void;

interface Dependencies {
  identity: Peers['identity'];
  cache: CredentialCache;
  /** The name of the cache at identity. */
  holder: string;
}

/**
 * Returns authentication by API key. 401, the same for every fault of the credentials; 429 after too many failures.
 * Well-formed credentials are verified before they are counted, so valid ones pass despite failures from the same
 * address.
 */
export function createAuthenticate({ identity, cache, holder }: Dependencies): Authenticate {
  return async (authorization, rpc, countFailure) => {
    const given = parseBasic(authorization);
    const credentials = given && isApiKey(given.apiKey) ? given : undefined;
    if (credentials) {
      try {
        return await cache.ownerOf(credentials, () =>
          identity.authenticate({ ...credentials, holder }, rpc()),
        );
      } catch (error) {
        if (!(error instanceof AppError) || error.type !== 'invalid-credentials') throw error;
      }
    }
    countFailure(credentials?.apiKey);
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
