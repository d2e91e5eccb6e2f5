import { randomBytes } from 'node:crypto';
import { AppError } from '@parley/runtime/errors';
import { keyring } from '@parley/runtime/config/keyring';
import { decodeJwt, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createSessions, sessionSeconds } from './session.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [first, second] = [key('k1'), key('k2')];
const ring = keyring.parse(first);
const clock = { nowMs: Date.now };
const sessions = createSessions(ring, clock);

const customer = {
  workspaceId: 'w',
  subject: { $case: 'customerId', value: 'ada/1' },
  fenceVersion: 2,
} as const;
const link = {
  workspaceId: 'w',
  subject: { $case: 'interaction', value: { interactionId: 'i', linkVersion: 3 } },
  fenceVersion: 0,
} as const;

const late = {
  workspaceId: 'w',
  subject: { $case: 'interaction', value: { interactionId: 'i', linkVersion: 3, hasEnded: true } },
  fenceVersion: 0,
} as const;

test('a session is read as issued', async () => {
  for (const given of [customer, link, late]) {
    const { session, grant } = await sessions.read(`Bearer ${await sessions.issue(given, 'grant')}`);
    expect({ session, grant }).toEqual({ session: given, grant: 'grant' });
  }
});

test('each session has a unique name, also concurrent ones of one customer', async () => {
  const tokens = await Promise.all(Array.from({ length: 50 }, () => sessions.issue(customer, 'grant')));
  const nameOf = async (token: string) => (await sessions.read(`Bearer ${token}`)).name;
  const names = await Promise.all(tokens.map(nameOf));
  expect(new Set(names).size).toBe(50);
  expect(await Promise.all(tokens.map(nameOf))).toEqual(names);
});

test('a session ends after its time', async () => {
  const now = Date.now() / 1000;
  const { exp } = decodeJwt(await sessions.issue(customer, 'grant'));
  expect(Math.abs(Number(exp) - now - sessionSeconds)).toBeLessThan(5);
  await expect(sessions.read(`Bearer ${await signed({ exp: now - 1 })}`)).rejects.toThrow(AppError);
});

test('sessions under older keys of the ring are accepted, under other keys not', async () => {
  const token = await sessions.issue(customer, 'grant');
  const rotated = createSessions(keyring.parse(`${second},${first}`), clock);
  expect((await rotated.read(`Bearer ${token}`)).session.workspaceId).toBe('w');
  await expect(createSessions(keyring.parse(second), clock).read(`Bearer ${token}`)).rejects.toThrow(
    AppError,
  );
  const sameId = createSessions(keyring.parse(second.replace('k2', 'k1')), clock);
  await expect(sameId.read(`Bearer ${token}`)).rejects.toThrow(AppError);
});

test('a session that was read before is no longer accepted when its key is taken from the ring', async () => {
  const keys = new Map(keyring.parse(`${second},${first}`).keys);
  const changing = createSessions({ ...keyring.parse(second), keys }, clock);
  const token = `Bearer ${await sessions.issue(customer, 'grant')}`;
  expect((await changing.read(token)).session).toEqual(customer);
  keys.set('k1', keyring.parse(key('k1')).current.key);
  await expect(changing.read(token)).rejects.toThrow(AppError);
  keys.delete('k1');
  await expect(changing.read(token)).rejects.toThrow(AppError);
});

test('every fault of a token has the same error', async () => {
  const token = await sessions.issue(customer, 'grant');
  const [header = '', payload = '', signature = ''] = token.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const wrong = [
    undefined,
    '',
    token,
    `Basic ${token}`,
    'Bearer x.y.z',
    `Bearer ${none}.${payload}.`,
    `Bearer ${none}.${payload}.${signature}`,
    `Bearer ${header}.${payload}.${signature.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'))}`,
    `Bearer ${await signed({ aud: 'parley:w' })}`,
    `Bearer ${await signed({ sub: undefined })}`,
    `Bearer ${await signed({ fence: undefined })}`,
    `Bearer ${await signed({ grant: undefined })}`,
    `Bearer ${await signed({ jti: undefined })}`,
    `Bearer ${await signed({ exp: undefined })}`,
  ];
  for (const authorization of wrong) {
    await expect(sessions.read(authorization), authorization).rejects.toMatchObject({
      type: 'invalid-session',
    });
  }
});

test('the cases above fail only for their own change', async () => {
  expect((await sessions.read(`Bearer ${await signed({})}`)).session.workspaceId).toBe('w');
});

function signed(change: Record<string, unknown>): Promise<string> {
  const exp = Date.now() / 1000 + 60;
  const claims = {
    ws: 'w',
    fence: 0,
    grant: 'grant',
    jti: 'j',
    sub: 'c',
    aud: 'parley:session',
    exp,
    ...change,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(ring.current.key);
}

test('a session begins and ends by the given clock, whatever the clock of the process', async () => {
  for (const aheadMs of [20 * 60_000, -20 * 60_000]) {
    let nowMs = Date.now() + aheadMs;
    const elsewhere = createSessions(ring, { nowMs: () => nowMs });
    const token = `Bearer ${await elsewhere.issue(customer, 'grant')}`;
    nowMs += (sessionSeconds - 1) * 1_000;
    expect((await elsewhere.read(token)).session).toMatchObject(customer);
    nowMs += 2_000;
    await expect(elsewhere.read(token)).rejects.toThrow(AppError);
  }
});
