import { AppError, notFound, unavailable } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { type AllowedDomains, rememberDomains } from './allowed-domains.ts';
import type { Call } from '../http/request-context.ts';

const shop = '01890000-0000-7000-8000-000000000001';
const other = '01890000-0000-7000-8000-000000000002';
const call: Call = {
  requestId: 'r',
  rpc: () => ({ requestId: 'r', timeoutMs: 1000 }),
  poll: () => ({ requestId: 'r', timeoutMs: 1000 }),
  isStopping: () => false,
};
const free = (): void => {};

/** An identity that answers as it is told, and a clock that is set by hand. */
function setUp(entriesMax?: number) {
  let at = 0;
  let domains = ['https://one.example'];
  let error: AppError | undefined;
  let asked = 0;
  const getWorkspace = async ({ id }: { id: string }) => {
    asked += 1;
    await Promise.resolve();
    if (error) throw error;
    return { id, name: 'Shop', allowedDomains: domains };
  };
  const allowed: AllowedDomains = rememberDomains({ getWorkspace }, () => at, entriesMax);
  return {
    of: (id: string, countLookup = free) => allowed(id, call, countLookup),
    pass: (seconds: number) => {
      at += seconds * 1000;
    },
    change: (now: string[]) => {
      domains = now;
    },
    fail: (thrown: AppError | undefined) => {
      error = thrown;
    },
    asked: () => asked,
  };
}

test('are asked for once in ten seconds, and by many at once only once', async () => {
  const { of, pass, change, asked } = setUp();
  const answers = await Promise.all(Array.from({ length: 20 }, () => of(shop)));
  expect(new Set(answers.flat())).toEqual(new Set(['https://one.example']));
  expect(asked()).toBe(1);
  change(['https://two.example']);
  pass(9.9);
  expect(await of(shop)).toEqual(['https://one.example']);
  pass(0.1);
  expect(await Promise.all([of(shop), of(shop)])).toEqual([['https://two.example'], ['https://two.example']]);
  expect(asked()).toBe(2);
});

test('while identity cannot answer are those of before, for ten minutes and no longer', async () => {
  const { of, pass, fail, asked } = setUp();
  await of(shop);
  fail(unavailable(undefined));
  for (let minutes = 0; minutes < 9; minutes += 1) {
    pass(60);
    expect(await of(shop)).toEqual(['https://one.example']);
  }
  const before = asked();
  expect(await of(shop)).toEqual(['https://one.example']);
  expect(asked()).toBe(before);
  pass(60);
  await expect(of(shop)).rejects.toThrow('not available');
  await expect(of(other)).rejects.toThrow('not available');
  fail(undefined);
  expect(await of(shop)).toEqual(['https://one.example']);
});

test('of a workspace that is no more are none at once when that is known', async () => {
  const { of, pass, fail } = setUp();
  await of(shop);
  fail(notFound());
  pass(10);
  expect(await of(shop)).toEqual([]);
  fail(unavailable(undefined));
  await expect(of(shop)).rejects.toThrow('not available');
});

test('of a workspace that is not known are asked for only where that is let through, of a known one always', async () => {
  const { of, pass, fail, asked } = setUp();
  const refuse = (): void => {
    throw new AppError('resource_exhausted', 'rate-limited', 'too many');
  };
  await expect(of(shop, refuse)).rejects.toThrow('too many');
  expect(await of('no id', refuse)).toEqual([]);
  expect(asked()).toBe(0);
  await of(shop);
  pass(60);
  expect(await of(shop, refuse)).toEqual(['https://one.example']);
  fail(notFound());
  expect(await of(other)).toEqual([]);
  await expect(of(other, refuse)).rejects.toThrow('too many');
});

test('of workspaces that do not exist drive out none that does', async () => {
  const { of, fail, asked } = setUp(2);
  await of(shop);
  await of(other);
  fail(notFound());
  for (let made = 10; made < 20; made += 1) expect(await of(shop.replace('01', String(made)))).toEqual([]);
  const before = asked();
  expect(await of(shop)).toEqual(['https://one.example']);
  expect(asked()).toBe(before);
});
