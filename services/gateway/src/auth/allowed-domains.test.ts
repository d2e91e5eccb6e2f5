import type { CallOptions } from '@parley/rpc/definition';
import { AppError, notFound, unavailable } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { type AllowedDomains, createAllowedDomainsCache } from './allowed-domains.ts';
import type { Call } from '../http/answer/request-context.ts';

const shop = '01890000-0000-7000-8000-000000000001';
const other = '01890000-0000-7000-8000-000000000002';
const call: Call = {
  requestId: 'r',
  rpc: () => ({ requestId: 'r', timeoutMs: 1000 }),
  poll: () => ({ requestId: 'r', timeoutMs: 1000 }),
  isStopping: () => false,
};
const free = (): void => {};

/** An identity service with controlled answers, and a manual clock. */
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
  const allowed: AllowedDomains = createAllowedDomainsCache({ getWorkspace }, () => at, entriesMax);
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

test('are read once in ten seconds, and by concurrent requests only once', async () => {
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

test('are read for all that wait, also if the first client leaves', async () => {
  const left = AbortSignal.abort();
  const ofFirst: Call = { ...call, rpc: () => ({ ...call.rpc(), signal: left }) };
  const getWorkspace = async (_: unknown, { signal }: CallOptions) => {
    signal?.throwIfAborted();
    return { id: shop, name: 'Shop', allowedDomains: ['https://one.example'] };
  };
  const allowed = createAllowedDomainsCache({ getWorkspace }, () => 0);
  const [, second] = await Promise.all([allowed(shop, ofFirst, free), allowed(shop, call, free)]);
  expect(second).toEqual(['https://one.example']);
});

test('while identity is unavailable are the earlier ones, for at most ten minutes', async () => {
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

test('of a deleted workspace are none as soon as that is known', async () => {
  const { of, pass, fail } = setUp();
  await of(shop);
  fail(notFound());
  pass(10);
  expect(await of(shop)).toEqual([]);
  fail(unavailable(undefined));
  await expect(of(shop)).rejects.toThrow('not available');
});

test('of an unknown workspace are read only within the limit, of a known one always', async () => {
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

test('of workspaces that do not exist evict none that exists', async () => {
  const { of, fail, asked } = setUp(2);
  await of(shop);
  await of(other);
  fail(notFound());
  for (let made = 10; made < 20; made += 1) expect(await of(shop.replace('01', String(made)))).toEqual([]);
  const before = asked();
  expect(await of(shop)).toEqual(['https://one.example']);
  expect(asked()).toBe(before);
});
