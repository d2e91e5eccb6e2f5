import { AppError, unavailable } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from 'openid-client';
import { type Account, accountOf, isIncomplete } from './account.ts';
import type { GroupRole } from './group-roles.ts';
import { createMetadataCache } from './provider-metadata.ts';

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  groupsClaim: string;
  groupRoles: readonly GroupRole[];
}

/** What a sign-in keeps until the provider answers. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

/** Signs people in with a provider: code flow with PKCE, state and nonce. */
export interface Provider {
  readonly groupRoles: readonly GroupRole[];
  /** Returns the page of the provider. 503 while it does not answer. */
  begin(redirectUri: string): Promise<{ url: string; attempt: SignInAttempt }>;
  /** Returns the account. 401 `invalid-sign-in` if the answer is not valid; 503 while the provider does not answer. */
  complete(attempt: SignInAttempt, query: string): Promise<Account>;
}

/** Of one request to the provider. A sign-in makes up to four, within the time of a call. */
const requestSecondsMax = 3;
/** How far the clock of the provider may be ahead. */
const clockToleranceSeconds = 30;

/** Returns a provider. It is asked at the first sign-in: identity starts without it. */
export function createProvider(settings: ProviderSettings, logger: Logger): Provider {
  const configuration = createConfiguration(settings, logger);
  const groupsClaim = settings.groupRoles.length > 0 ? settings.groupsClaim : undefined;
  return {
    groupRoles: settings.groupRoles,

    begin: async (redirectUri) => {
      const config = await orUnavailable(configuration());
      const verifier = randomPKCECodeVerifier();
      const attempt = { state: randomState(), nonce: randomNonce(), verifier, redirectUri };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },

    complete: async ({ state, nonce, verifier, redirectUri }, query) => {
      const config = await orUnavailable(configuration());
      const currentUrl = new URL(redirectUri);
      currentUrl.search = query;
      return orInvalid(async () => {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await authorizationCodeGrant(config, currentUrl, checks);
        const idToken = tokens.claims();
        if (!idToken) throw new Error('the provider returned no ID token');
        requireOwn(idToken, settings.clientId);
        // Some providers put the address and the groups there only.
        const asksMore = config.serverMetadata().userinfo_endpoint && isIncomplete(idToken, groupsClaim);
        const userInfo = asksMore ? await fetchUserInfo(config, tokens.access_token, idToken.sub) : {};
        return accountOf(idToken.iss, { idToken, userInfo: { ...userInfo }, groupsClaim });
      });
    },
  };
}

/**
 * Throws for an ID token that was issued to another client, or in the future. The library checks the rest: `azp` only
 * with several audiences, and of `iat` only its type.
 */
function requireOwn({ azp, iat }: IDToken, clientId: string): void {
  if (azp != null && azp !== clientId) throw new Error('the ID token is of another client');
  if (iat > Date.now() / 1_000 + clockToleranceSeconds) throw new Error('the ID token is of the future');
}

function createConfiguration({ issuer, clientId, clientSecret }: ProviderSettings, logger: Logger) {
  const server = new URL(issuer);
  const metadata = createMetadataCache(async () => {
    const options = { execute: insecureIf(server), timeout: requestSecondsMax };
    const config = await discovery(server, clientId, clientSecret, undefined, options);
    return { ...config.serverMetadata() };
  }, logger);
  return async (): Promise<Configuration> => {
    // A copy, because the library keeps the provider's keys with it for a minute. A sign-in needs the current ones.
    const config = new Configuration({ ...(await metadata()) }, clientId, clientSecret);
    for (const set of [enableNonRepudiationChecks, ...insecureIf(server)]) set(config);
    config.timeout = requestSecondsMax;
    return config;
  };
}

/** Returns what allows http. The settings allow it for loopback addresses only. */
function insecureIf({ protocol }: URL): ((config: Configuration) => void)[] {
  return protocol === 'http:' ? [allowInsecureRequests] : [];
}

/** Rejects as `orInvalid`, for requests that depend on nothing that a browser sends. */
async function orUnavailable<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (cause) {
    throw providerUnavailable(cause);
  }
}

async function orInvalid<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    if (isUnanswered(cause)) throw providerUnavailable(cause);
    throw invalidSignIn(cause);
  }
}

/** Returns whether the provider did not answer, or with an error of its own. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) return error.error === 'temporarily_unavailable';
  if (error instanceof ResponseBodyError) return error.status >= 500;
  if (error instanceof ClientError) {
    const { cause } = error;
    const isAnsweredWithFault = cause instanceof Response && cause.status >= 500;
    return error.code === 'OAUTH_TIMEOUT' || isAnsweredWithFault;
  }
  // What `fetch` throws.
  return error instanceof TypeError && error.message === 'fetch failed';
}

function providerUnavailable(cause: unknown): AppError {
  return unavailable(cause, 'The sign-in provider does not answer at the moment. Please try again');
}

export function invalidSignIn(cause: unknown): AppError {
  return new AppError(
    'unauthenticated',
    'invalid-sign-in',
    'This sign-in is not valid. Please sign in again',
    {
      cause,
    },
  );
}
