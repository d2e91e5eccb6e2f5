import { expect, test } from 'vitest';
import { z } from 'zod';
import { shortList } from './short-list.ts';

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
