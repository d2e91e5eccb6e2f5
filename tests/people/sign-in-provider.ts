import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/servers/ports';
import { Provider } from 'oidc-provider';
import { expect } from 'vitest';

export interface ProviderAccount {
  name: string;
  email?: string;
  isEmailVerified?: boolean;
  groups?: string[];
}

/** A sign-in provider (OpenID Connect) at a loopback port. */
export interface SignInProvider extends AsyncDisposable {
  /** The variables of identity. */
  env: Record<string, string>;
  /** The accounts by their login. Any password is right. */
  accounts: Map<string, ProviderAccount>;
  /** Allows the page to which people come back, and begins to answer. */
  allow(redirectUri: string): void;
  rotateKeys(): void;
  /** Closes the port until `resume`. */
  stop(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until a code has expired: codes are valid for one second if `hasShortCodes`. */
  expired(code: string): Promise<void>;
  hasShortCodes: boolean;
  /** The nonce of all sign-ins, instead of the request's. */
  nonce: string | undefined;
}

const clientId = 'parley';
const clientSecret = 'secret-of-parley-of-a-test';

/** Starts a provider. It answers after `allow`. */
export async function startSignInProvider(): Promise<SignInProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let answer: RequestListener = (_, response) => void response.writeHead(503).end();
  let provider: Provider | undefined;
  let redirectUri = '';
  let server = createServer((request, response) => {
    answer(request, response);
  });

  const listen = (): Promise<void> =>
    new Promise((done) => {
      server.listen(port, '127.0.0.1', done);
    });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => {
      server.close(done);
    });
  };
  const begin = (): void => {
    provider = createProvider(issuer, redirectUri, made);
    const answerOfProvider = provider.callback();
    answer = (request, response) => {
      const { url = '' } = request;
      if (made.nonce !== undefined) request.url = url.replace(/([?&]nonce=)[^&]*/, `$1${made.nonce}`);
      void answerOfProvider(request, response);
    };
  };
  const made: SignInProvider = {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    accounts: new Map(),
    hasShortCodes: false,
    nonce: undefined,
    allow: (uri) => {
      redirectUri = uri;
      begin();
    },
    rotateKeys: begin,
    stop: close,
    resume: async () => {
      server = createServer((request, response) => {
        answer(request, response);
      });
      await listen();
    },
    expired: (code) =>
      eventually(async () => {
        // An expired one is not found.
        expect((await provider?.AuthorizationCode.find(code))?.isExpired ?? true).toBe(true);
      }),
    [Symbol.asyncDispose]: close,
  };
  await listen();
  return made;
}

function createProvider(issuer: string, redirectUri: string, made: SignInProvider): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }],
    },
    cookies: { keys: [randomUUID()] },
    // As at Entra ID and Keycloak: the groups come without a scope of their own.
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    scopes: ['openid', 'email', 'profile'],
    ttl: { AuthorizationCode: () => (made.hasShortCodes ? 1 : 60) },
    findAccount: (_, sub) => {
      const account = made.accounts.get(sub);
      return (
        account && {
          accountId: sub,
          claims: () => ({
            sub,
            name: account.name,
            email: account.email,
            email_verified: account.isEmailVerified ?? account.email !== undefined,
            groups: account.groups ?? [],
          }),
        }
      );
    },
    // Nobody is asked for a consent.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
}
