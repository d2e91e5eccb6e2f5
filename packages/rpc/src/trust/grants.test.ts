import { setImmediate } from 'node:timers/promises';
import { Grant } from '@parley/contracts/common/v1/grant';
import { keyring } from '@parley/runtime/config/keyring';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  checkGrant,
  createGrantSigner,
  createGrantVerifier,
  keyGrantSeconds,
  keysMs,
  noGrant,
  sessionGrantSeconds,
} from './grants.ts';

const keyOf = (id: string): string => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const signer = createGrantSigner(keyring.parse(keyOf('a')));
const foreign = createGrantSigner(keyring.parse(keyOf('b')));
const whose = { workspaceIds: ['W-1'], holder: { $case: 'apiKey', value: 'prl_key_1' } } as const;
const own = { ...whose, workspaceIds: [...whose.workspaceIds] };
const refusal = { code: 'permission_denied', type: 'no-grant' };
const verifyOf = async (text: string, keys = signer.keys) => createGrantVerifier({ keys }).verify(text);

describe('the signature', () => {
  test('a grant is read as issued, with its workspaces in lower case', async () => {
    const grant = await verifyOf(signer.issue(own, keyGrantSeconds));
    expect(grant).toMatchObject({ workspaceIds: ['w-1'], holder: whose.holder });
    const leftSeconds = grant.expiresAt - Date.now() / 1_000;
    expect(leftSeconds).toBeGreaterThan(keyGrantSeconds - 1);
    expect(leftSeconds).toBeLessThan(2 * keyGrantSeconds + 1);
  });

  test('a changed grant, one of a foreign key, and a text that is none are refused', async () => {
    const [payload = '', signature = ''] = signer.issue(own, keyGrantSeconds).split('.');
    const wide = Grant.decode(Buffer.from(payload, 'base64url'));
    const changed = Buffer.from(Grant.encode({ ...wide, workspaceIds: ['w-2'] }).finish());
    const named = Grant.encode({ ...wide, keyId: foreign.keys[0]?.id ?? '' }).finish();
    const wrong = [
      `${changed.toString('base64url')}.${signature}`,
      `${Buffer.from(named).toString('base64url')}.${signature}`,
      `${payload}.`,
      `${payload}.${'A'.repeat(86)}`,
      payload,
      foreign.issue(own, keyGrantSeconds),
      '',
      '.',
      'nonsense',
      '\u0000.\u0000',
    ];
    for (const text of wrong) await expect(verifyOf(text), text).rejects.toMatchObject(refusal);
  });

  test('an expired grant is refused, also by a verifier that knows it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const verifier = createGrantVerifier(signer);
      const text = signer.issue(own, sessionGrantSeconds);
      await verifier.verify(text);
      vi.advanceTimersByTime((sessionGrantSeconds + 61) * 1_000);
      expect(() => verifier.verify(text)).toThrow(noGrant('').message);
    } finally {
      vi.useRealTimers();
    }
  });

  test('clocks may differ by a minute: a new grant is accepted, and one of a clock far ahead is not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const issued = (seconds: number) => signer.issue(own, seconds);
      for (const offset of [-59_000, 59_000]) {
        const texts = [issued(keyGrantSeconds), issued(sessionGrantSeconds)];
        vi.setSystemTime(Date.now() + offset);
        for (const text of texts)
          await expect(verifyOf(text)).resolves.toMatchObject({ workspaceIds: ['w-1'] });
      }
      const ahead = issued(sessionGrantSeconds + 180);
      await expect((async () => verifyOf(ahead))()).rejects.toMatchObject(refusal);
    } finally {
      vi.useRealTimers();
    }
  });

  test('all keys of a ring verify, and the first one signs', async () => {
    const both = createGrantSigner(keyring.parse(`${keyOf('b')},${keyOf('a')}`));
    await expect(verifyOf(signer.issue(own, 60), both.keys)).resolves.toMatchObject({
      workspaceIds: ['w-1'],
    });
    await expect(verifyOf(both.issue(own, 60), foreign.keys)).resolves.toMatchObject({
      workspaceIds: ['w-1'],
    });
  });

  test('a ring that changes signs with its new key at once, and verifies no more with a removed one', async () => {
    const ring = keyring.parse(keyOf('a'));
    const following = createGrantSigner(ring);
    const verifier = createGrantVerifier(following);
    await verifier.verify(following.issue(own, 60));
    Object.assign(ring, keyring.parse(keyOf('b')));
    await expect((async () => verifier.verify(following.issue(own, 120)))()).resolves.toMatchObject({
      keyId: foreign.keys[0]?.id,
    });
    await expect((async () => verifier.verify(signer.issue(own, 180)))()).rejects.toMatchObject(refusal);
  });
});

describe('the keys of identity', () => {
  test('are read once for an unknown key, and not again within a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const listGrantKeys = vi.fn(async () => ({ keys: signer.keys }));
    const verifier = createGrantVerifier(undefined, listGrantKeys);
    const texts = [signer.issue(own, 60), signer.issue(own, 960)];
    await Promise.all(texts.map(async (text) => verifier.verify(text)));
    expect(listGrantKeys).toHaveBeenCalledOnce();
    await expect((async () => verifier.verify(foreign.issue(own, 60)))()).rejects.toMatchObject(refusal);
    expect(listGrantKeys).toHaveBeenCalledOnce();
  });

  test('are read again after a minute, so that a removed one ends, also for grants that were verified', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      let { keys } = signer;
      const verifier = createGrantVerifier(undefined, async () => ({ keys }));
      const text = signer.issue(own, sessionGrantSeconds);
      await verifier.verify(text);
      ({ keys } = foreign);
      vi.advanceTimersByTime(keysMs + 1);
      await verifier.verify(text);
      await setImmediate();
      vi.advanceTimersByTime(2_000);
      await expect((async () => verifier.verify(text))()).rejects.toMatchObject(refusal);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that cannot be read are no refusal', async () => {
    const listGrantKeys = async (): Promise<never> => {
      throw new Error('away');
    };
    const verifier = createGrantVerifier(undefined, listGrantKeys);
    await expect(verifier.verify(signer.issue(own, 60))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a clock that differs from that of identity', () => {
  const minutes = (count: number): number => count * 60_000;
  /** A verifier whose clock is so far ahead of identity's, and a grant that identity issues now. */
  function ahead(ms: number, seconds = keyGrantSeconds) {
    const now = (): Date => new Date(Date.now() - ms);
    const read = vi.fn(async () => ({ keys: signer.keys, now: now() }));
    return {
      verifier: createGrantVerifier(undefined, read),
      text: signer.issue(own, seconds - ms / 1_000),
      read,
    };
  }
  const verify = async ({ verifier, text }: ReturnType<typeof ahead>) => verifier.verify(text);

  test.each([
    [minutes(20), /it has expired: the clock of this process is 1200 s ahead of that of identity/],
    [minutes(-20), /it is valid for too long: the clock of this process is 1200 s behind that of identity/],
  ])('by %d ms makes grants unavailable, and is named', async (ms, message) => {
    const one = ahead(ms, sessionGrantSeconds);
    const outOfTime = ms > 0 ? ahead(ms) : one;
    const isUnavailable = { code: 'unavailable', cause: { message: expect.stringMatching(message) } };
    await expect(verify(outOfTime)).rejects.toMatchObject(isUnavailable);
    expect(Math.round((outOfTime.verifier.clockAheadMs() ?? 0) / 1_000)).toBe(ms / 1_000);
  });

  test('by less than a minute does not matter', async () => {
    await expect(verify(ahead(50_000))).resolves.toMatchObject({ workspaceIds: ['w-1'] });
    await expect(verify(ahead(-50_000, sessionGrantSeconds))).resolves.toMatchObject({
      workspaceIds: ['w-1'],
    });
  });

  test('is no reason for an old grant where the clocks agree', async () => {
    const { verifier } = ahead(0);
    const old = signer.issue(own, -120);
    await expect((async () => verifier.verify(old))()).rejects.toMatchObject(refusal);
  });

  test('is noticed without a call, by reading it at most every 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { verifier, read } = ahead(minutes(20));
      expect(verifier.clockAheadMs()).toBeUndefined();
      await setImmediate();
      expect(verifier.clockAheadMs()).toBeGreaterThan(minutes(19));
      expect(read).toHaveBeenCalledOnce();
      vi.advanceTimersByTime(15_001);
      verifier.clockAheadMs();
      expect(read).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the request', () => {
  const grantOf = (holder: Grant['holder']): Grant => ({
    keyId: '',
    holderName: '',
    expiresAt: 0,
    workspaceIds: ['w-1'],
    holder,
    webhookIds: [],
  });
  const ofKey = grantOf(whose.holder);
  const ofCustomer = grantOf({ $case: 'customerId', value: 'ada' });
  const ofPortal = grantOf({ $case: 'portalLinkId', value: 'l-1' });
  const ofLimited = { ...ofPortal, webhookIds: ['h-1', 'h-2'] };
  const ofLink = grantOf({ $case: 'link', value: 'i-1.3' });
  const session = (workspaceId: string, subject: object) => ({ session: { workspaceId, subject } });
  const customer = (value: string) => ({ $case: 'customerId', value });
  const link = (interactionId: string, linkVersion: number) => ({
    $case: 'interaction',
    value: { interactionId, linkVersion },
  });

  test.each([
    ['key', { workspaceId: 'w-1' }, ofKey],
    ['key', { workspaceId: 'W-1', customerId: 'ada' }, ofKey],
    ['key', { workspaceIds: ['w-1'] }, ofKey],
    ['key', { workspaceIds: [] }, ofKey],
    ['portal', { workspaceId: 'w-1' }, ofPortal],
    ['portal', { workspaceId: 'w-1' }, ofKey],
    ['portal', { workspaceId: 'w-1', id: 'H-1' }, ofLimited],
    ['portal', { workspaceId: 'w-1', webhookId: 'h-2', id: 'delivery' }, ofLimited],
    ['portal', { workspaceId: 'w-1', webhookIds: ['h-1'] }, ofLimited],
    ['portal', { workspaceIds: ['w-1'] }, ofLimited],
    ['session', session('w-1', customer('ada')), ofCustomer],
    ['session', { workspaceId: 'w-1', customerId: 'ada' }, ofCustomer],
    ['session', session('w-1', link('i-1', 3)), ofLink],
  ] as const)('%s: %j fits', (needed, request, grant) => {
    expect(() => checkGrant(needed, request, grant)).not.toThrow();
  });

  test.each([
    ['key', { workspaceId: 'w-2' }, ofKey],
    ['key', {}, ofKey],
    ['key', { workspaceIds: ['w-1', 'w-2'] }, ofKey],
    ['key', { workspaceId: 'w-2', workspaceIds: ['w-1'] }, ofKey],
    ['session', { workspaceId: 'w-2', ...session('w-1', customer('ada')) }, ofCustomer],
    ['key', { workspaceId: 'w-1' }, ofCustomer],
    ['key', { workspaceId: 'w-1', customerId: 'ada' }, ofCustomer],
    ['key', { workspaceId: 'w-1' }, ofLink],
    ['key', { workspaceId: 'w-1' }, ofPortal],
    ['portal', { workspaceId: 'w-2' }, ofPortal],
    ['portal', { workspaceId: 'w-1' }, ofLink],
    ['portal', { workspaceId: 'w-1', id: 'h-3' }, ofLimited],
    ['portal', { workspaceId: 'w-1', webhookId: 'h-3', id: 'h-1' }, ofLimited],
    ['portal', { workspaceId: 'w-1', webhookIds: ['h-1', 'h-3'] }, ofLimited],
    ['portal', { workspaceId: 'w-1', webhookIds: [] }, ofLimited],
    ['portal', { workspaceId: 'w-1', url: 'a new webhook' }, ofLimited],
    ['session', { workspaceId: 'w-1', customerId: 'l-1' }, ofPortal],
    ['key', { workspaceId: 'w-1' }, grantOf(null)],
    ['session', session('w-1', customer('ada')), ofKey],
    ['session', session('w-2', customer('ada')), ofCustomer],
    ['session', session('w-1', customer('bob')), ofCustomer],
    ['session', { workspaceId: 'w-1', customerId: 'bob' }, ofCustomer],
    ['session', session('w-1', link('i-1', 3)), ofCustomer],
    ['session', session('w-1', link('i-2', 3)), ofLink],
    ['session', session('w-1', link('i-1', 4)), ofLink],
    ['session', session('w-1', customer('i-1.3')), ofLink],
    ['session', { workspaceId: 'w-1' }, grantOf(null)],
    ['session', { session: { workspaceId: 'w-1', subject: null } }, grantOf(null)],
  ] as const)('%s: %j does not fit', (needed, request, grant) => {
    expect(() => checkGrant(needed, request, grant)).toThrow(noGrant('').message);
  });
});
