import { expect, test } from 'vitest';
import { z } from 'zod';
import { faultMessage, faultsMax, zodFaults } from './zod-faults.ts';

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

test.each([
  [z.string(), 1, 'Must be a string'],
  [z.number(), 'a', 'Must be a number'],
  [z.int(), 1.5, 'Must be a whole number'],
  [z.int(), 2 ** 60, 'Must be at most 9007199254740991'],
  [z.boolean(), 'yes', 'Must be true or false'],
  [z.strictObject({}), [], 'Must be an object'],
  [z.record(z.string(), z.string()), [], 'Must be an object'],
  [z.array(z.string()), {}, 'Must be an array'],
  [z.string().nullable(), 1, 'Must be a string'],
  [z.union([z.string(), z.number()]), true, 'Must be a string or a number'],
  [z.discriminatedUnion('a', [z.object({ a: z.literal('b') })]), { a: 'c' }, 'Must be one of: b'],
  [z.string(), undefined, 'Is required'],
  [z.enum(['a', 'b']), undefined, 'Is required'],
  [z.literal(1), undefined, 'Is required'],
  [z.enum(['a', 'b']), 'c', 'Must be one of: a, b'],
  [z.literal(1), 2, 'Must be 1'],
  [z.number().min(0.001), 0, 'Must be at least 0.001'],
  [z.number().positive(), 0, 'Must be more than 0'],
  [z.number().max(5), 6, 'Must be at most 5'],
  [z.number().lt(5), 5, 'Must be less than 5'],
  [z.number().multipleOf(5), 6, 'Must be a multiple of 5'],
  [z.string().min(2), 'a', 'Must have at least 2 characters'],
  [z.string().length(3), 'a', 'Must have exactly 3 characters'],
  [z.array(z.string()).min(1), [], 'Must have at least 1 entry'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'Must have at most 2 entries'],
  [z.url(), 'a', 'Must be a URL'],
  [z.string().regex(/a/), 'b', 'Does not have the required form'],
  [z.string().min(2, 'Has words of its own'), 'a', 'Has words of its own'],
])('a fault is in plain words: %#', (schema, value, message) => {
  const { error } = schema.safeParse(value, { error: faultMessage });
  expect(error && zodFaults(error).map(({ detail }) => detail)).toEqual([message]);
});
