import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { expect, test } from 'vitest';
import { createListLimit } from './list-limit.ts';

const partBytes = 256 * 1024;
const bytesMax = 288 * 1024;
const small = 1000;

/** A limit, and the parts that it is loading. */
function createLoads() {
  const limit = createListLimit(bytesMax);
  const loading: { name: string; finish(bytes: number): void; fail(): void }[] = [];
  const load = (workspaceId: string, name: string) =>
    limit(
      workspaceId,
      () =>
        new Promise<{ interactions: Interaction[] }>((resolve, reject) => {
          const leave = (): void => void loading.splice(loading.indexOf(own), 1);
          const own = {
            name,
            finish: (bytes: number): void => {
              leave();
              resolve({ interactions: [rowOf(bytes)] });
            },
            fail: (): void => {
              leave();
              reject(new Error(name));
            },
          };
          loading.push(own);
        }),
    );
  const names = () => loading.map(({ name }) => name);
  /** Ends the load that has run longest. */
  const finishNext = async (bytes: number): Promise<void> => {
    loading[0]?.finish(bytes);
    await settle();
  };
  return { load, loading, names, finishNext };
}

const rowOf = (bytes: number): Interaction => ({
  id: '',
  status: 'InProgress',
  priority: 'Low',
  linkToken: '',
  expiresAt: null,
  createdAt: null,
  customerId: '',
  type: '',
  typeLabel: '',
  data: 'x'.repeat(bytes),
  context: [],
  version: 1,
});

/** Runs everything that does not wait for a load. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test.each([
  ['large parts', partBytes],
  ['parts larger than the limit', 3 * bytesMax],
])('%s of a workspace are loaded one at a time, in order, after a first few', async (_, bytes) => {
  const { load, names, finishNext, loading } = createLoads();
  const parts = numbers(20).map((n) => load('w', `${n}`));
  await settle();
  const atFirst = loading.length;
  expect(atFirst).toBeLessThanOrEqual(9);
  for (let n = 0; n < atFirst; n += 1) await finishNext(bytes);
  for (let n = atFirst; n < 20; n += 1) {
    expect(names()).toEqual([`${n}`]);
    await finishNext(bytes);
  }
  await Promise.all(parts);
});

test('small lists are all loaded at once, after a first few', async () => {
  const { load, finishNext, loading } = createLoads();
  const parts = numbers(64).map((n) => load('w', `${n}`));
  for (let n = 64; n < 128; n += 1) {
    await settle();
    parts.push(load('w', `${n}`));
    await finishNext(small);
  }
  expect(loading).toHaveLength(64);
  while (loading.length > 0) await finishNext(small);
  await Promise.all(parts);
});

test('two lists at most are loaded at once where one in ten is large', async () => {
  const { load, finishNext, loading } = createLoads();
  const parts = numbers(64).map((n) => load('w', `${n}`));
  await settle();
  for (let n = 0; n < 200; n += 1) {
    parts.push(load('w', ''));
    await finishNext(n % 10 === 0 ? partBytes : small);
    if (n > 64) expect(loading.length).toBeLessThanOrEqual(2);
  }
  while (loading.length > 0) await finishNext(small);
  await Promise.all(parts);
});

test('workspaces do not wait for each other', async () => {
  const { load, names, loading, finishNext } = createLoads();
  const parts = numbers(20).map((n) => load('w', `${n}`));
  await settle();
  const ofOne = loading.length;
  parts.push(load('other', 'other'));
  await settle();
  expect(loading).toHaveLength(ofOne + 1);
  expect(names()).toContain('other');
  while (loading.length > 0) await finishNext(small);
  await Promise.all(parts);
});

test('a failed part lets the next one start', async () => {
  const { load, names, loading } = createLoads();
  const parts = numbers(10).map((n) => load('w', `${n}`));
  await settle();
  const ended = Promise.allSettled(parts);
  while (loading.length > 0) {
    loading[0]?.fail();
    await settle();
  }
  expect(names()).toEqual([]);
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
});
