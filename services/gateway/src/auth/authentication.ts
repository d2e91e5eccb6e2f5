import { isApiKey, isApiSecret } from '@parley/contracts/api-key';
import { idOfToken } from '@parley/contracts/person-token';
import { sessionLease } from '@parley/contracts/subjects';
import type { CallOptions } from '@parley/rpc/definition';
import { invalidCredentials, signedOut } from '@parley/runtime/errors';
import { type CredentialCache, isRefusal } from './credential-cache.ts';
import {
  type Principal,
  principalOfKey,
  principalOfPerson,
  principalOfPortal,
} from '../http/request/principal.ts';
import type { Peers } from '../peers.ts';

/** The credential of a request: the Authorization header, or the token of a session of a person or the portal. */
export type GivenCredential =
  | { authorization: string | undefined; sessionToken?: undefined }
  | { sessionToken: string; kind: 'session' | 'portalSession' };

export type Authenticate = (
  given: GivenCredential,
  rpc: () => CallOptions,
  failures: Failures,
) => Promise<Principal>;

/** The failed authentications of the caller's address, and of the key or session that it names. */
export interface Failures {
  /** Counts a failure, also of the key if there is one. 429 beyond the limit. */
  count(name?: string): void;
  /** Runs a check of credentials. It waits behind other checks of the address if there were too many failures. */
  check<Result>(check: () => Promise<Result>, name?: string): Promise<Result>;
}

interface Dependencies {
  identity: Peers['identity'];
  cache: CredentialCache;
  /** The name of the cache at identity. */
  holder: string;
}

/**
 * Returns authentication by API key, or by the session of a person or the portal. 401, which does not show the fault of
 * the credentials; 429 after too many failures. Well-formed credentials are verified before they are counted, so valid
 * ones pass despite failures from the same address. Credentials that were valid within the last hour do not wait behind
 * such failures either.
 */
export function createAuthenticate({ identity, cache, holder }: Dependencies): Authenticate {
  type Ask = () => Promise<Principal>;
  const askByKey =
    (apiKey: string, apiSecret: string, rpc: () => CallOptions): Ask =>
    async () =>
      principalOfKey(await identity.authenticate({ apiKey, apiSecret, holder, checksScopes: true }, rpc()));
  const askBySession =
    (token: string, rpc: () => CallOptions): Ask =>
    async () =>
      principalOfPerson(await identity.authenticateSession({ token, holder }, rpc()));
  const askByPortal =
    (token: string, rpc: () => CallOptions): Ask =>
    async () =>
      principalOfPortal(await identity.authenticatePortalSession({ token, holder }, rpc()));
  const asks = { session: askBySession, portalSession: askByPortal };

  return async (given, rpc, failures) => {
    const { name, secret } = namedCredential(given);
    if (name !== undefined && secret !== undefined) {
      const ask =
        given.sessionToken === undefined ? askByKey(name, secret, rpc) : asks[given.kind](secret, rpc);
      try {
        return await cache.ownerOf({ name, secret }, (wereValid) =>
          wereValid ? ask() : failures.check(ask, name),
        );
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    failures.count(name);
    throw given.sessionToken === undefined ? invalidCredentials() : signedOut();
  };
}

/** Returns the name and the secret of a credential. Either is undefined unless it is well-formed. */
function namedCredential(given: GivenCredential): { name?: string; secret?: string } {
  if (given.sessionToken !== undefined) {
    const id = idOfToken(given.kind, given.sessionToken);
    return id === undefined ? {} : { name: sessionLease(id), secret: given.sessionToken };
  }
  const { apiKey = '', apiSecret = '' } = parseBasic(given.authorization) ?? {};
  if (!isApiKey(apiKey)) return {};
  return isApiSecret(apiSecret) ? { name: apiKey, secret: apiSecret } : { name: apiKey };
}

// A byte order mark stays a character. No key has one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns `Basic` credentials (RFC 7617), or undefined if they are malformed. */
export function parseBasic(
  authorization: string | undefined,
): { apiKey: string; apiSecret: string } | undefined {
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
