import { AppError, unavailable } from '@parley/runtime/errors';
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from 'openid-client';
import type { GroupRole } from './group-roles.ts';

/** The settings of the provider (OpenID Connect). */
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

/** Who has signed in with the provider. */
export interface Account {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  /** Whether the provider says that the address belongs to the person. */
  isEmailVerified: boolean;
  groups: string[];
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
/** After so long the provider's addresses are read again. Its keys are read again when it uses an unknown one. */
const discoveryMsMax = 3_600_000;

/** Returns a provider. It is asked at the first sign-in: identity starts without it. */
export function createProvider(settings: ProviderSettings): Provider {
  const { issuer, clientId, clientSecret } = settings;
  let known: { config: Promise<Configuration>; readAtMs: number } | undefined;

  const read = async (): Promise<Configuration> => {
    const server = new URL(issuer);
    // The settings allow http for loopback addresses only.
    const execute = server.protocol === 'http:' ? [allowInsecureRequests] : [];
    const options = { execute: [enableNonRepudiationChecks, ...execute], timeout: requestSecondsMax };
    return await discovery(server, clientId, clientSecret, undefined, options);
  };
  const configuration = (): Promise<Configuration> => {
    if (!known || performance.now() - known.readAtMs > discoveryMsMax) {
      const config = read();
      const entry = { config, readAtMs: performance.now() };
      known = entry;
      config.catch(() => {
        if (known === entry) known = undefined;
      });
    }
    return known.config;
  };

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
        const inToken = tokens.claims();
        if (!inToken) throw new Error('the provider returned no ID token');
        const { sub, iss } = inToken;
        // Some providers put the address and the groups here only.
        const more = config.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(config, tokens.access_token, sub)
          : {};
        return accountOf(iss, sub, { ...more, ...inToken }, settings.groupsClaim);
      });
    },
  };
}

function accountOf(
  issuer: string,
  subject: string,
  claims: Record<string, unknown>,
  groupsClaim: string,
): Account {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
  const email = textOf(claims['email']).slice(0, 320);
  const name = textOf(claims['name']) || textOf(claims['preferred_username']) || email || subject;
  const groups = [claims[groupsClaim]].flat();
  return {
    issuer,
    subject,
    name: Array.from(name).slice(0, 100).join(''),
    email: email || null,
    isEmailVerified: email !== '' && claims['email_verified'] === true,
    groups: groups.filter((group) => typeof group === 'string'),
  };
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

/** Returns the error of a sign-in that must begin again. */
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
