import { randomBytes } from 'node:crypto';
import { basic } from '@parley/testing/api';
import { newApiKey, newApiSecret } from '../../../services/identity/src/rules/credential.ts';
import type { Attack, Load } from '../attack.ts';

/** Credentials that are refused, or that change all the time. */
export const credentialLoads: readonly Load[] = [
  guesses('unknown-keys-guessed', '200 calls per second with well-formed keys that do not exist', () =>
    basic(newApiKey(), newApiSecret()),
  ),
  guesses('secrets-guessed', "200 calls per second with well-formed secrets for the victim's key", (attack) =>
    basic(attack.victim.apiKey, newApiSecret()),
  ),
  guesses('malformed-credentials', '200 calls per second with malformed credentials', () =>
    basic(randomBytes(12).toString('hex'), randomBytes(300).toString('hex')),
  ),
  guesses('sessions-guessed', '200 calls per second with forged session tokens', (attack) => {
    const { workspaceId } = attack.attacker;
    const claims = { ws: workspaceId, ms: Date.now(), jti: randomBytes(6).toString('hex'), sub: 'a' };
    return `Bearer ${forged(claims)}`;
  }),
  {
    name: 'customer-tokens-guessed',
    does: '100 forged customer tokens per second',
    run: ({ every, call, visible }) =>
      every(100, () =>
        call({
          method: 'POST',
          path: `${visible}/sessions`,
          headers: { Authorization: '' },
          body: JSON.stringify({ customerToken: forged({ sub: 'a', iat: Math.floor(Date.now() / 1_000) }) }),
        }),
      ),
  },
  {
    name: 'links-guessed',
    does: '100 guesses of links per second',
    run: ({ every, call }) =>
      every(100, () =>
        call({
          method: 'POST',
          path: '/public/v1/link-sessions',
          headers: { Authorization: '' },
          body: JSON.stringify({ token: randomBytes(24).toString('base64url') }),
        }),
      ),
  },
  {
    name: 'sign-in-pages',
    does: '200 anonymous calls per second of the pages on which people sign in',
    run: ({ every, call }) =>
      every(200, (number) =>
        call({
          method: 'GET',
          path: `/console/sign-in${['', '/link', '/callback'][number % 3]}`,
          headers: { Authorization: '', Accept: 'text/html' },
        }),
      ),
  },
  {
    name: 'sign-in-codes-guessed',
    does: '100 guesses of sign-in links per second',
    run: ({ every, call }) =>
      every(100, () =>
        call({
          method: 'POST',
          path: '/console/sign-in/link',
          headers: { Authorization: '', 'Sec-Fetch-Site': 'same-origin', 'x-parley-console': '1' },
          body: JSON.stringify({ code: randomBytes(24).toString('base64url') }),
        }),
      ),
  },
  {
    name: 'over-the-limit',
    does: '800 calls per second with one key, four times its limit',
    run: ({ every, call, base }) =>
      every(800, () => call({ method: 'GET', path: `${base}/customers/customer-1` })),
  },
  {
    name: 'preflights',
    does: '200 preflights per second about workspaces that do not exist',
    run: ({ every, call }) =>
      every(200, () =>
        call({
          method: 'OPTIONS',
          path: `/public/v1/workspaces/${crypto.randomUUID()}/pending`,
          headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
        }),
      ),
  },
  {
    name: 'rotate-sdk-secret',
    does: '20 rotations of the SDK secret per second, and 50 customer tokens',
    run: async ({ every, call, base }) => {
      await Promise.all([
        every(20, () => call({ method: 'POST', path: `${base}/sdk-secret/rotate` })),
        every(50, () => call({ method: 'POST', path: `${base}/customers/customer-1/token` })),
      ]);
    },
  },
];

function guesses(name: string, does: string, authorization: (attack: Attack) => string): Load {
  return {
    name,
    does,
    run: (attack) => {
      const path =
        name === 'sessions-guessed' ? `${attack.visible}/pending` : `${attack.base}/customers/customer-1`;
      return attack.every(200, () =>
        attack.call({ method: 'GET', path, headers: { Authorization: authorization(attack) } }),
      );
    },
  };
}

/** Returns a JWT with a signature of no key. */
function forged(claims: object): string {
  const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = { alg: 'HS256', kid: 'a' };
  return `${text(head)}.${text(claims)}.${randomBytes(32).toString('base64url')}`;
}
