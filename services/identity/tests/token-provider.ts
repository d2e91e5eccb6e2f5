import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** What the provider answers to a code. */
export interface ProviderAnswer {
  /** The claims of the ID token, beside the ones that each token needs. */
  idToken: Record<string, unknown>;
  userInfo: Record<string, unknown>;
}

/** A sign-in provider whose tokens have the claims that a test gives, valid or not. */
export interface TokenProvider extends AsyncDisposable {
  /** The variables of identity. */
  env: Record<string, string>;
  answers: Map<string, ProviderAnswer>;
  /** Whether all requests fail. */
  isDown: boolean;
  /** How many requests each path has got. */
  readonly requests: Map<string, number>;
}

const clientId = 'parley';

export async function startTokenProvider(): Promise<TokenProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const answers: Record<string, (code: string) => Promise<unknown>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': async () => ({ keys: [jwk] }),
    // The access token is the code again.
    '/token': async (code) => ({ access_token: code, token_type: 'Bearer', id_token: await idTokenOf(code) }),
    '/userinfo': async (code) => ({
      sub: made.answers.get(code)?.idToken['sub'],
      ...made.answers.get(code)?.userInfo,
    }),
  };
  const idTokenOf = (code: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000);
    const usual = { iss: issuer, aud: clientId, iat: now, exp: now + 7_200 };
    return new SignJWT({ ...usual, ...made.answers.get(code)?.idToken })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(privateKey);
  };
  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    const path = String(request.url);
    made.requests.set(path, (made.requests.get(path) ?? 0) + 1);
    const answer = answers[path];
    if (made.isDown || !answer) return send(response, made.isDown ? 503 : 404, {});
    void codeOf(request)
      .then(answer)
      .then((body) => send(response, 200, body));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: TokenProvider = {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: 'secret-of-a-test' },
    answers: new Map(),
    isDown: false,
    requests: new Map(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
  return made;
}

async function codeOf(request: IncomingMessage): Promise<string> {
  const code = new URLSearchParams(await text(request)).get('code');
  return code ?? String(request.headers.authorization?.replace('Bearer ', ''));
}
