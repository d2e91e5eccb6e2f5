import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mintCustomerToken, verifyCustomerToken } from './customer-token.ts';

const workspaceId = '01939f6a-2f40-7c3a-9d55-0123456789ab';
const kid = 'newest';
const secret = 'prl_sdk_of-a-test-ü';
const now = new Date('2026-11-21T09:30:00.500Z');
const seconds = Math.floor(now.getTime() / 1000);

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const digests = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

const goodClaims = { sub: 'c-1', aud: `parley:${workspaceId}`, iat: seconds, exp: seconds + 3600 };

/** A token as a client's backend would sign it, without this package. */
function token(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key = secret,
  alg: keyof typeof digests = 'HS256',
): string {
  const signed = `${encode({ alg, kid, ...header })}.${encode({ ...goodClaims, ...claims })}`;
  return `${signed}.${createHmac(digests[alg], Buffer.from(key, 'utf8')).update(signed).digest('base64url')}`;
}

function verify(text: string): Promise<string> {
  const findSecret = async (name: string) => (name === kid ? secret : undefined);
  return verifyCustomerToken({ token: text, workspaceId, findSecret, now });
}

const refusal = {
  code: 'unauthenticated',
  type: 'invalid-customer-token',
  message: expect.stringMatching(/^The customer token is not valid: \S/) as string,
};

describe('a customer token is accepted', () => {
  test.each([
    ['for an hour', {}],
    ['for exactly 24 hours', { exp: seconds + 86_400 }],
    ['with an audience among others', { aud: ['other', `parley:${workspaceId}`] }],
    ['from a clock 60 s ahead', { iat: seconds + 60 }],
    ['without a time of issue', { iat: undefined }],
    ['with unknown claims', { role: 'admin' }],
    ['with a fraction of a second', { iat: seconds - 0.5, exp: seconds + 1.5 }],
  ])('%s', async (_, claims) => {
    await expect(verify(token(claims))).resolves.toBe('c-1');
  });

  test('for any customer id', async () => {
    await expect(verify(token({ sub: 'Zoë/ü .. 😀' }))).resolves.toBe('Zoë/ü .. 😀');
    await expect(verify(token({ sub: '😀'.repeat(255) }))).resolves.toHaveLength(510);
  });
});

test('a rejected token has the reason: kid, signature, claim or time', async () => {
  const at = (offset: number) => new Date((seconds + offset) * 1000).toISOString();
  const clock = `and now is ${now.toISOString()}`;
  const faulty: [string, string][] = [
    ['nonsense', 'it is not a JWT in its compact form'],
    ['a.b.c', 'its header or its claims cannot be read'],
    [token({}, {}, secret, 'HS512'), 'its algorithm must be HS256'],
    [token({}, { alg: 'HS512' }), 'its algorithm must be HS256'],
    [token({}, { kid: undefined }), 'its header needs a kid, the name of an SDK secret'],
    [token({}, { kid: 'old' }), 'its kid is not that of the current or the previous SDK secret'],
    [token({}, {}, 'another'), 'its signature does not fit the SDK secret of its kid'],
    [token({ aud: workspaceId }), `its aud must be parley:${workspaceId}`],
    [token({ aud: undefined }), 'it needs the claim aud'],
    [token({ sub: undefined }), 'it needs the claim sub'],
    [token({ sub: '..' }), 'its sub is not a customer id'],
    [token({ exp: undefined }), 'it needs the claim exp'],
    [token({ exp: 'soon' }), 'its claim exp is not valid'],
    [token({ iat: 'now' }), 'its claim iat is not valid'],
    [token({ exp: seconds + 90_000 }), 'its exp is more than 24 hours after its iat'],
    [token({ iat: seconds - 99, exp: seconds - 1 }), `it has expired: exp is ${at(-1)}, ${clock}`],
    [token({ iat: seconds - 99, exp: seconds - 61 }), `it has expired: exp is ${at(-61)}, ${clock}`],
    [token({ iat: seconds + 62 }), `its iat is ${at(62)}, ${clock}; a clock may be 60 s ahead`],
    [token({ nbf: seconds + 90 }), `its nbf is ${at(90)}, ${clock}`],
  ];
  for (const [text, reason] of faulty) {
    const error = await verify(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: `The customer token is not valid: ${reason}`, cause: reason });
  }
});

describe('a customer token is rejected', () => {
  const unsigned = `${encode({ alg: 'none', kid })}.${encode(goodClaims)}.`;
  test.each([
    ['empty', ''],
    ['no JWT', 'a.b.c'],
    ['without a signature', unsigned],
    ['alg none with a signature', token({}, { alg: 'none' })],
    ['HS384', token({}, {}, secret, 'HS384')],
    ['HS512', token({}, {}, secret, 'HS512')],
    ['another alg than that of the signature', token({}, { alg: 'HS384' })],
    ['another secret', token({}, {}, 'another')],
    ['the secret as base64', token({}, {}, Buffer.from(secret).toString('base64'))],
    ['no kid', token({}, { kid: undefined })],
    ['a foreign kid', token({}, { kid: 'foreign' })],
    ['a kid that is not a string', token({}, { kid: [kid] })],
    ['an unknown critical header', token({}, { crit: ['x'], x: 1 })],
    ['no audience', token({ aud: undefined })],
    ['the audience of another workspace', token({ aud: 'parley:01939f6a-2f40-7c3a-9d55-ffffffffffff' })],
    ['the bare workspace as audience', token({ aud: workspaceId })],
    ['no subject', token({ sub: undefined })],
    ['an empty subject', token({ sub: '' })],
    ['a subject that is not a string', token({ sub: 7 })],
    ['a subject with a control character', token({ sub: 'a\0b' })],
    ['a subject with half a surrogate pair', token({ sub: '\uD800' })],
    ['a subject that no customer can have', token({ sub: '..' })],
    ['a subject that is too long', token({ sub: 'x'.repeat(256) })],
    ['no end', token({ exp: undefined })],
    ['no time of issue, and more than 24 hours to live', token({ iat: undefined, exp: seconds + 86_402 })],
    ['times that are not numbers', token({ exp: String(seconds + 60) })],
    ['a second more than 24 hours', token({ exp: seconds + 86_401 })],
    ['expired a second ago', token({ iat: seconds - 3600, exp: seconds - 1 })],
    ['issued in the future', token({ iat: seconds + 62, exp: seconds + 3600 })],
    ['valid later', token({ nbf: seconds + 62 })],
  ])('%s', async (_, text) => {
    await expect(verify(text)).rejects.toMatchObject(refusal);
  });

  test('endless times', async () => {
    for (const text of ['"iat":1e999,"exp":1e999', '"iat":0,"exp":1e999', '"iat":-1e999,"exp":9999999999']) {
      const claims = Buffer.from(`{"sub":"c-1","aud":"parley:${workspaceId}",${text}}`).toString('base64url');
      const signed = `${encode({ alg: 'HS256', kid })}.${claims}`;
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      await expect(verify(`${signed}.${signature}`)).rejects.toMatchObject(refusal);
    }
  });

  test('with any changed character', async () => {
    const good = token();
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.constantFrom(...'AZaz09-_.'), async (at, character) => {
        fc.pre(good[at] !== character);
        // The last digit of a signature has two unused bits.
        fc.pre(at < good.length - 1);
        const text = good.slice(0, at) + character + good.slice(at + 1);
        await expect(verify(text)).rejects.toMatchObject(refusal);
      }),
    );
  });

  test('for any other text', async () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(part, part, part).map((all) => all.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        await expect(verify(text)).rejects.toMatchObject(refusal);
      }),
    );
  });
});

test('a fault of the look-up is not a fault of the token', async () => {
  const findSecret = () => Promise.reject(new Error('the database is unavailable'));
  await expect(verifyCustomerToken({ token: token(), workspaceId, findSecret, now })).rejects.toThrow(
    'the database is unavailable',
  );
});

test('a malformed token is rejected before any look-up', async () => {
  const findSecret = () => Promise.reject(new Error('looked up'));
  for (const text of [
    '',
    'a.b.c',
    token({}, { alg: 'HS384' }, secret, 'HS384'),
    token({}, { kid: undefined }),
  ]) {
    await expect(verifyCustomerToken({ token: text, workspaceId, findSecret, now })).rejects.toMatchObject(
      refusal,
    );
  }
});

test('a signed token is valid for an hour, and only for its workspace', async () => {
  const { customerToken, expiresAt } = await mintCustomerToken({ kid, secret }, workspaceId, 'Zoë', now);
  expect(expiresAt).toEqual(new Date('2026-11-21T10:30:00.000Z'));
  await expect(verify(customerToken)).resolves.toBe('Zoë');

  const [header, claims] = customerToken
    .split('.')
    .slice(0, 2)
    .map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()));
  expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid });
  expect(claims).toEqual({ sub: 'Zoë', aud: `parley:${workspaceId}`, iat: seconds, exp: seconds + 3600 });
});
