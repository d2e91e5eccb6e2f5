import { expect, test } from 'vitest';
import { z } from 'zod';
import { faultsMax, zodFaults } from './zod-faults.ts';

/** Gives names as long as they are asked for, and counts them. */
function endlessNames(): { names: string[]; asked: () => number } {
  let asked = 0;
  const names: string[] = [];
  names[Symbol.iterator] = function* () {
    for (;;) {
      asked += 1;
      yield `name-${asked}`;
    }
  };
  return { names, asked: () => asked };
}

test('no fault beyond the hundredth is made, whatever the number of unknown names and branches', () => {
  const { names, asked } = endlessNames();
  const unknown: z.core.$ZodIssue = {
    code: 'unrecognized_keys',
    keys: names,
    path: [],
    message: 'is unknown',
  };
  const union: z.core.$ZodIssue = { code: 'invalid_union', errors: [[unknown]], path: ['u'], message: '' };
  const { length } = zodFaults(new z.ZodError([union, unknown]));
  expect({ length, asked: asked() }).toEqual({ length: faultsMax, asked: faultsMax });
});

test('faults of several issues fill the list in their order', () => {
  const schema = z.object({ a: z.strictObject({}), b: z.string() });
  const { error } = schema.safeParse({ a: { x: 1, y: 1 }, b: 1 });
  expect(error && zodFaults(error, ['base']).map(({ pointer }) => pointer)).toEqual([
    '/base/a/x',
    '/base/a/y',
    '/base/b',
  ]);
});
