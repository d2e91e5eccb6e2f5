import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readQuery, wholeNumber } from './query.ts';

const schema = z.object({ page: wholeNumber(1, 100).default(1), customerId: z.string().optional() });
const parse = (query: string) => schema.safeParse(readQuery(query, schema));

test('whole numbers are read, defaults filled in, texts left alone, unknown parameters ignored', () => {
  expect(parse('page=7&customerId=12&other=1').data).toEqual({ page: 7, customerId: '12' });
  expect(parse('').data).toEqual({ page: 1 });
  expect(parse('customerId=a%2Fb+c%C3%A9').data).toMatchObject({ customerId: 'a/b cé' });
});

test('only plain decimal digits are a number', () => {
  for (const text of ['', ' 1', '+1', '01', '1.0', '1e1', '0x1', '1_0', 'NaN', '９', '0', '101', '-1']) {
    expect(parse(`page=${encodeURIComponent(text)}`).success, text).toBe(false);
  }
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), (page) => parse(`page=${page}`).data?.page === page),
  );
});

test('a parameter that is given twice is refused', () => {
  expect(parse('page=1&page=1').success).toBe(false);
  expect(parse('customerId=a&customerId=b').success).toBe(false);
});
