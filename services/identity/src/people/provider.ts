import { AppError, unavailable } from '@parley/runtime/errors';
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
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type ServerMetadata,
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

/** Returns a provider. It is asked at the first sign-in: identity starts without it. */
export function createProvider(settings: ProviderSettings): Provider {
  const configuration = createConfiguration(settings);
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

/** Returns a function that reads the addresses of the provider, and returns the client. */
function createConfiguration({ issuer, clientId, clientSecret }: ProviderSettings) {
  const server = new URL(issuer);
  let reading: Promise<ServerMetadata> | undefined;

  const read = async (): Promise<ServerMetadata> => {
    const options = { execute: insecureIf(server), timeout: requestSecondsMax };
    const config = await discovery(server, clientId, clientSecret, undefined, options);
    return { ...config.serverMetadata() };
  };
  // Read at each sign-in: while the provider is down, people get a page of ours. Anybody can begin sign-ins, so
  // concurrent ones share a request.
  const readMetadata = (): Promise<ServerMetadata> => {
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
  return async (): Promise<Configuration> => {
    // A copy, because the library keeps the provider's keys with it for a minute. A sign-in needs the current ones.
    const config = new Configuration({ ...(await readMetadata()) }, clientId, clientSecret);
    for (const set of [enableNonRepudiationChecks, ...insecureIf(server)]) set(config);
    config.timeout = requestSecondsMax;
    return config;
  };
}

/** Returns what allows http. The settings allow it for loopback addresses only. */
function insecureIf({ protocol }: URL): ((config: Configuration) => void)[] {
  return protocol === 'http:' ? [allowInsecureRequests] : [];
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
