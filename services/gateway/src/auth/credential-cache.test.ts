import { setImmediate } from 'node:timers/promises';
import { invalidCredentials } from '@parley/runtime/errors';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../http/request/principal.ts';
import { confirmedMs, createCredentialCache, refusedMs } from './credential-cache.ts';

const apiKey = 'prl_key_of_a_test';
const valid = { name: apiKey, secret: 'right' };
const cacheableMs = 2_700;
const owner: Principal = {
  type: 'key',
  id: apiKey,
  name: '',
  scopes: ['bots:read'],
  workspaceIds: ['w'],
  version: 1,
  cacheableMs,
  grant: 'grant',
  expiresAt: null,
};
const refusal = invalidCredentials();
const failure = new Error('failed');

/** A cache with a manual clock, and an identity service whose answers the test releases. */
function setUp({ entriesMax }: { entriesMax?: number } = {}) {
  const clock = { now: 1_000 };
  const cache = createCredentialCache(() => clock.now, entriesMax);
  const asked: PromiseWithResolvers<Principal>[] = [];
  /** Whether the credentials of each call were known to be valid before. */
  const known: boolean[] = [];
  const find = (credentials = valid): Promise<Principal> =>
    cache.ownerOf(credentials, (wereValid) => {
      known.push(wereValid);
      const answer = Promise.withResolvers<Principal>();
      asked.push(answer);
      return answer.promise;
    });
  const answerAll = (): void => {
    for (const answer of asked) answer.resolve(owner);
  };
  const findAndAnswer = async (credentials = valid): Promise<Principal> => {
    const found = find(credentials);
    answerAll();
    return found;
  };
  return { cache, clock, asked, known, find, findAndAnswer, answerAll };
}

describe('valid credentials', () => {
  test('are verified once per lifetime of the answer, which begins before the request', async () => {
    const { clock, asked, find, findAndAnswer } = setUp();
    const first = find();
    clock.now += 400;
    asked[0]?.resolve(owner);
    await expect(first).resolves.toBe(owner);
    clock.now += cacheableMs - 401;
    await expect(find()).resolves.toBe(owner);
    expect(asked).toHaveLength(1);
    clock.now += 1;
    await findAndAnswer();
    expect(asked).toHaveLength(2);
  });

  test('of concurrent requests are verified again by one of them, also after a joined call has failed', async () => {
    const { clock, asked, find } = setUp();
    const joined = Array.from({ length: 50 }, () => find());
    clock.now += 600;
    joined.push(find());
    expect(asked).toHaveLength(2);
    asked[0]?.resolve(owner);
    asked[1]?.resolve(owner);
    await Promise.all(joined);
    expect(asked).toHaveLength(2);
  });

  test('do not last longer when used', async () => {
    const { clock, asked, findAndAnswer } = setUp();
    for (let passedMs = 0; passedMs < 2 * cacheableMs; passedMs += 100) {
      await findAndAnswer();
      clock.now += 100;
    }
    expect(asked).toHaveLength(2);
  });

  test('without a lifetime are verified each time, also for requests that waited for the answer', async () => {
    const { asked, find } = setUp();
    const both = [find(), find()];
    asked[0]?.resolve({ ...owner, cacheableMs: 0 });
    await setImmediate();
    asked[1]?.resolve({ ...owner, cacheableMs: 0 });
    await Promise.all(both);
    expect(asked).toHaveLength(2);
  });
});

describe('concurrent requests', () => {
  test('ask once', async () => {
    const { asked, find } = setUp();
    const all = Array.from({ length: 100 }, () => find());
    asked[0]?.resolve(owner);
    await expect(Promise.all(all)).resolves.toEqual(Array.from({ length: 100 }, () => owner));
    expect(asked).toHaveLength(1);
  });

  test('fail by one answer, and the next request asks again', async () => {
    const { asked, find, findAndAnswer } = setUp();
    const all = Promise.allSettled([find(), find(), find()]);
    asked[0]?.reject(failure);
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(findAndAnswer()).resolves.toBe(owner);
    expect(asked).toHaveLength(2);
  });

  test('do not join a slow call: another replica may answer', async () => {
    const { clock, asked, find } = setUp();
    const slow = find();
    clock.now += 600;
    const quick = find();
    asked[1]?.resolve(owner);
    await expect(quick).resolves.toBe(owner);
    asked[0]?.resolve(owner);
    await expect(slow).resolves.toBe(owner);
    await find();
    expect(asked).toHaveLength(2);
  });

  test('ask themselves after a joined answer has expired', async () => {
    const { clock, asked, find } = setUp();
    const first = find();
    const waiting = find();
    clock.now += cacheableMs;
    asked[0]?.resolve(owner);
    await first;
    await setImmediate();
    expect(asked).toHaveLength(2);
    asked[1]?.reject(refusal);
    await expect(waiting).rejects.toBe(refusal);
  });
});

test('it is known for an hour that credentials were valid, until they are rejected', async () => {
  const { clock, asked, known, find, findAndAnswer } = setUp();
  await findAndAnswer();
  clock.now += confirmedMs - 1;
  await findAndAnswer();
  clock.now += confirmedMs;
  await findAndAnswer();
  clock.now += cacheableMs;
  const refused = find();
  asked.at(-1)?.reject(refusal);
  await expect(refused).rejects.toBe(refusal);
  clock.now += refusedMs;
  await findAndAnswer();
  expect(known).toEqual([false, true, false, true, false]);
});

describe('a wrong secret', () => {
  test('is rejected without another call for ten seconds, and leaves the right one cached', async () => {
    const { clock, asked, find, findAndAnswer } = setUp();
    await findAndAnswer();
    const wrong = { name: apiKey, secret: 'wrong' };
    const refused = find(wrong);
    asked.at(-1)?.reject(refusal);
    await expect(refused).rejects.toBe(refusal);
    await expect(find(wrong)).rejects.toMatchObject({ type: 'invalid-credentials' });
    await expect(find()).resolves.toBe(owner);
    expect(asked).toHaveLength(2);
    clock.now += refusedMs;
    const again = find(wrong);
    asked.at(-1)?.reject(refusal);
    await expect(again).rejects.toBe(refusal);
    expect(asked).toHaveLength(3);
  });

  test('is remembered only if identity has rejected it, among as many as the cache holds', async () => {
    const { asked, find } = setUp({ entriesMax: 3 });
    const reject = async (secret: string, error: Error): Promise<void> => {
      const had = asked.length;
      const found = find({ name: apiKey, secret });
      asked[had]?.reject(error);
      await expect(found).rejects.toThrow();
    };
    for (const error of [failure, failure, refusal, refusal]) await reject('0', error);
    expect(asked).toHaveLength(3);
    for (const secret of ['1', '2', '3', '0']) await reject(secret, refusal);
    expect(asked).toHaveLength(7);
  });

  test('of one key is not accepted for another', async () => {
    const { asked, findAndAnswer } = setUp();
    await findAndAnswer({ name: 'a', secret: 'bc' });
    await findAndAnswer({ name: 'ab', secret: 'c' });
    expect(asked).toHaveLength(2);
  });
});

describe('a forgotten key', () => {
  test('is verified again, others are not', async () => {
    const { cache, asked, findAndAnswer } = setUp();
    const other = { name: 'other', secret: 'right' };
    await findAndAnswer();
    await findAndAnswer(other);
    cache.forget(apiKey);
    await findAndAnswer(other);
    expect(asked).toHaveLength(2);
    await findAndAnswer();
    expect(asked).toHaveLength(3);
  });

  test('is not accepted by a pending answer, neither for waiting requests nor for later ones', async () => {
    const { cache, asked, find } = setUp();
    const first = find();
    const waiting = find();
    cache.forget(apiKey);
    const later = find();
    expect(asked).toHaveLength(2);
    asked[0]?.resolve(owner);
    await first;
    await setImmediate();
    asked[1]?.reject(failure);
    await expect(waiting).rejects.toBe(failure);
    await expect(later).rejects.toBe(failure);
    expect(asked).toHaveLength(2);
    const last = find();
    asked[2]?.resolve(owner);
    await last;
    expect(asked).toHaveLength(3);
  });
});

test('a full cache evicts its oldest entry', async () => {
  const { asked, findAndAnswer } = setUp({ entriesMax: 3 });
  const credentials = (number: number) => ({ name: `key ${number}`, secret: 's' });
  for (const number of [1, 2, 3, 4]) await findAndAnswer(credentials(number));
  for (const number of [4, 3, 2]) await findAndAnswer(credentials(number));
  expect(asked).toHaveLength(4);
  await findAndAnswer(credentials(1));
  expect(asked).toHaveLength(5);
});

/**
 * A key of versions that are rotated, its identity and caches, as small as they can be: a lookup is sent, reaches
 * identity (which compares and takes the lease at once) and is answered, each at a moment of its own.
 */
function startModel() {
  const leaseMs = 3_000;
  const clock = { now: 0 };
  const caches = [0, 1].map(() => createCredentialCache(() => clock.now));
  const leases = new Map<number, number>();
  const sent: (() => () => void)[] = [];
  const reached: (() => void)[] = [];
  const faults: string[] = [];
  let version = 1;
  /** Secrets before this one are invalid, because their rotation has answered. */
  let oldest = 1;
  let awaited: Map<number, number> | undefined;
  let accepted = 0;

  const settleRotation = (): void => {
    for (const [holder, endsAt] of awaited ?? []) if (endsAt <= clock.now) awaited?.delete(holder);
    if (awaited?.size !== 0) return;
    awaited = undefined;
    oldest = version;
  };
  const take = (from: (() => unknown)[], at: number) => from.splice(at % Math.max(1, from.length), 1)[0];

  const steps = {
    call: (holder: number, age: number) => {
      const secret = Math.max(1, version - age);
      const oldestAtBegin = oldest;
      const mayBeRefused = (): boolean => secret < version;
      const ask = (): Promise<Principal> =>
        new Promise((resolve, reject) => {
          sent.push(() => {
            const isRight = secret === version;
            if (isRight) leases.set(holder, Math.max(leases.get(holder) ?? 0, clock.now + leaseMs));
            return () => (isRight ? resolve(owner) : reject(refusal));
          });
        });
      caches[holder]?.ownerOf({ name: apiKey, secret: String(secret) }, ask).then(
        () => {
          accepted += 1;
          if (secret < oldestAtBegin) faults.push(`${secret} was accepted after ${oldestAtBegin} was issued`);
        },
        () => {
          if (!mayBeRefused()) faults.push(`${secret} was rejected`);
        },
      );
    },
    reach: (at: number) => {
      const arrive = sent.splice(at % Math.max(1, sent.length), 1)[0];
      if (arrive) reached.push(arrive());
    },
    answer: (at: number) => void take(reached, at)?.call(undefined),
    rotate: () => {
      if (awaited) return;
      version += 1;
      awaited = new Map([...leases].filter(([, endsAt]) => endsAt > clock.now));
    },
    confirm: (holder: number) => {
      if (!awaited?.has(holder)) return;
      caches[holder]?.forget(apiKey);
      awaited.delete(holder);
    },
    pass: (ms: number) => {
      clock.now += ms;
    },
  };
  return {
    steps,
    faults,
    accepted: () => accepted,
    /** Runs everything that follows from the last step. */
    settle: async (): Promise<void> => {
      settleRotation();
      await setImmediate();
    },
  };
}

type Step = (model: ReturnType<typeof startModel>['steps']) => void;

const holder = fc.nat(1);
const place = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(holder, fc.nat(1)).map(
      ([at, age]): Step =>
        (s) =>
          s.call(at, age),
    ),
  },
  {
    weight: 3,
    arbitrary: place.map(
      (at): Step =>
        (s) =>
          s.reach(at),
    ),
  },
  {
    weight: 3,
    arbitrary: place.map(
      (at): Step =>
        (s) =>
          s.answer(at),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>((s) => s.rotate()) },
  {
    weight: 2,
    arbitrary: holder.map(
      (at): Step =>
        (s) =>
          s.confirm(at),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3_100 }).map(
      (ms): Step =>
        (s) =>
          s.pass(ms),
    ),
  },
);

test('in any order of events, no old secret is accepted by a call after the rotation answered, and no valid one is rejected', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (script) => {
      const model = startModel();
      for (const play of script) {
        play(model.steps);
        await model.settle();
      }
      accepted += model.accepted();
      expect(model.faults).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(0);
});
