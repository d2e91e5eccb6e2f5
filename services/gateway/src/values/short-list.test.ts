import { expect, test } from 'vitest';
import { z } from 'zod';
import { shortList, shortRecord } from './short-list.ts';

test('no entry of a list that is too long is checked', () => {
  let looks = 0;
  const entry = z.number().refine(() => {
    looks += 1;
    return true;
  });
  const schema = shortList(3, z.array(entry));
  expect(schema.safeParse([1, 2, 3])).toEqual({ success: true, data: [1, 2, 3] });
  expect(looks).toBe(3);
  const { error } = schema.safeParse(Array.from({ length: 100_000 }, (_, n) => n));
  expect(error?.issues).toMatchObject([{ message: 'Must have at most 3 entries', path: [] }]);
  expect(looks).toBe(3);
});

test('its length is described', () => {
  expect(z.toJSONSchema(shortList(3, z.array(z.string()).min(1)), { io: 'input' })).toMatchObject({
    type: 'array',
    minItems: 1,
    maxItems: 3,
  });
});

test('no member of an object that has too many is checked', () => {
  let looks = 0;
  const name = z.string().refine(() => {
    looks += 1;
    return true;
  });
  const schema = shortRecord(3, z.record(name, z.number()));
  expect(schema.safeParse({ a: 1, b: 2, c: 3 })).toEqual({ success: true, data: { a: 1, b: 2, c: 3 } });
  expect(looks).toBe(3);
  const { error } = schema.safeParse(
    Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`n${n}`, n])),
  );
  expect(error?.issues).toMatchObject([{ message: 'Must have at most 3 fields', path: [] }]);
  expect(looks).toBe(3);
  expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object', maxProperties: 3 });
});
