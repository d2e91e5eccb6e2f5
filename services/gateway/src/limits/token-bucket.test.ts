import { expect, test } from 'vitest';
import { createTokenBuckets, createWindows } from './token-bucket.ts';

const clock = () => {
  let ms = 1e9 + 0.1;
  return { now: () => ms, pass: (seconds: number) => (ms += seconds * 1000) };
};

test('all calls may come at once, then one for each that returns', () => {
  const { now, pass } = clock();
  const { take } = createTokenBuckets({ calls: 3, seconds: 6 }, now);
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([
    { isAllowed: true, left: 2, secondsToNext: 2 },
    { isAllowed: true, left: 1, secondsToNext: 2 },
    { isAllowed: true, left: 0, secondsToNext: 2 },
    { isAllowed: false, left: 0, secondsToNext: 2 },
  ]);
  pass(1);
  expect(take('a')).toEqual({ isAllowed: false, left: 0, secondsToNext: 1 });
  pass(1);
  expect(take('a').isAllowed).toBe(true);
  expect(take('a').isAllowed).toBe(false);
});

test.each([
  { calls: 1, seconds: 1 },
  { calls: 7, seconds: 60 },
  { calls: 400, seconds: 2 },
  { calls: 30, seconds: 60 },
  { calls: 4000, seconds: 4000 / 2100 },
])('%j: a client that waits for the stated time, or has calls left, is accepted', (quota) => {
  const { now, pass } = clock();
  const { take } = createTokenBuckets(quota, now);
  for (let round = 0; round < 100; round += 1) {
    const before = Array.from({ length: take('a').left }, () => take('a').isAllowed);
    expect(before.every(Boolean)).toBe(true);
    const refused = take('a');
    expect(refused).toMatchObject({ isAllowed: false, left: 0 });
    pass(refused.secondsToNext);
    expect(take('a').isAllowed).toBe(true);
    pass((round % 13) / 10);
  }
});

test('in any period at most a full bucket and the returned calls are accepted', () => {
  const { now, pass } = clock();
  const { take } = createTokenBuckets({ calls: 10, seconds: 5 }, now);
  let allowed = 0;
  for (let step = 0; step < 10_000; step += 1) {
    if (take('a').isAllowed) allowed += 1;
    pass(0.01);
  }
  expect(allowed).toBe(10 + (100 * 10) / 5 - 1);
});

test('a bucket is empty exactly if its next call is rejected, and to ask takes no call', () => {
  const { now, pass } = clock();
  const { take, isEmpty } = createTokenBuckets({ calls: 3, seconds: 7 }, now);
  for (let step = 0; step < 1_000; step += 1) {
    const empty = isEmpty('a');
    expect(isEmpty('a')).toBe(empty);
    expect(take('a').isAllowed).toBe(!empty);
    pass((step * 7) % 3);
  }
});

test('calls that are charged beyond the bucket must return before the next one, however long a client is idle', () => {
  const { now, pass } = clock();
  const { take, charge } = createTokenBuckets({ calls: 3, seconds: 6, chargeMax: 10 }, now);
  expect(take('a').isAllowed).toBe(true);
  expect(charge('a', 10)).toMatchObject({ left: 0, secondsToNext: 18 });
  for (let second = 0; second < 17; second += 1) {
    pass(1);
    // Rotates the generations.
    take(`other ${second}`);
  }
  expect(take('a')).toEqual({ isAllowed: false, left: 0, secondsToNext: 1 });
  pass(1);
  expect(take('a').isAllowed).toBe(true);
});

test('clients do not affect each other', () => {
  const { now } = clock();
  const { take } = createTokenBuckets({ calls: 1, seconds: 60 }, now);
  expect(['a', 'b', 'a', 'c'].map((client) => take(client).isAllowed)).toEqual([true, true, false, true]);
});

test('a million made-up clients take bounded memory and reset no active client', () => {
  const { now } = clock();
  const { take } = createTokenBuckets({ calls: 1, seconds: 60 }, now, 1_000);
  take('victim');
  let [freed, kept] = [0, 0];
  for (let made = 0; made < 1_000_000; made += 1) {
    take(`made-up ${made}`);
    if (made % 400 === 0 && take('victim').isAllowed) freed += 1;
    // An evicted client has a full bucket.
    if (made > 1_000 && made % 400 === 1 && !take(`made-up ${made - 1_000}`).isAllowed) kept += 1;
  }
  expect({ freed, kept }).toEqual({ freed: 0, kept: 0 });
});

test('an idle client is evicted only when its bucket is full', () => {
  const { now, pass } = clock();
  const { take } = createTokenBuckets({ calls: 2, seconds: 60 }, now);
  let wrong = 0;
  for (let step = 0; step < 1_000; step += 1) {
    const client = `client ${step}`;
    take(client);
    take(client);
    pass(step % 29);
    if (take(client).isAllowed) wrong += 1;
  }
  expect(wrong).toBe(0);
});

test.each([
  { calls: 10, stepSeconds: 1 },
  { calls: 600, stepSeconds: 0.07 },
])(
  'a window allows $calls at once, never more in any minute, and as stated again',
  ({ calls, stepSeconds }) => {
    const { now, pass } = clock();
    const { take } = createWindows({ calls, seconds: 60 }, now);
    const allowedAt: number[] = [];
    const tryOnce = () => {
      const taken = take('a');
      if (taken.isAllowed) allowedAt.push(now());
      return taken;
    };
    const first = Array.from({ length: calls }, tryOnce);
    expect(first.every(({ isAllowed }) => isAllowed)).toBe(true);
    expect([first[0]?.left, first.at(-1)?.left]).toEqual([calls - 1, 0]);
    expect(tryOnce()).toEqual({ isAllowed: false, left: 0, secondsToNext: 60 });
    expect(take('b').isAllowed).toBe(true);
    for (let step = 0; step < 5_000; step += 1) {
      pass(stepSeconds * (step % 3));
      const { isAllowed, secondsToNext } = tryOnce();
      if (isAllowed || step % 500 > 0) continue;
      pass(secondsToNext);
      expect(tryOnce().isAllowed).toBe(true);
    }
    expect(allowedAt.length).toBeGreaterThan(2 * calls);
    const tooMany = allowedAt.filter((at, index) => (allowedAt[index + calls] ?? Infinity) - at < 59_999);
    expect(tooMany).toEqual([]);
  },
);
