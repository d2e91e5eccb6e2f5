import { expect, test } from 'vitest';
import { z } from 'zod';
import { faultsOf } from './faults.ts';

test('every fault has the pointer of its place, unknown fields their own', () => {
  const schema = z.strictObject({ a: z.array(z.strictObject({ b: z.string() })) });
  const { error } = schema.safeParse({ a: [{ b: 1, 'c/d': 1 }], 'e~f': 1, g: 1 });
  const pointers = error && faultsOf('body', error).map(({ pointer }) => pointer);
  expect(pointers?.sort()).toEqual(['/a/0/b', '/a/0/c~1d', '/e~0f', '/g']);
});

test('those outside the body begin with their part', () => {
  const { error } = z.object({ page: z.int() }).safeParse({ page: 'x' });
  expect(error && faultsOf('query', error)[0]?.pointer).toBe('/query/page');
});
