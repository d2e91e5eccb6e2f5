import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readQuery, wholeNumber } from './query.ts';

const schema = z.object({ page: wholeNumber(1, 100).default(1), customerId: z.string().optional() });
const parse = (query: string) => schema.safeParse(readQuery(query, schema).query);

test('whole numbers are parsed, defaults filled in, texts unchanged', () => {
  expect(parse('page=7&customerId=12').data).toEqual({ page: 7, customerId: '12' });
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

test('a number out of bounds has exactly one fault, of any size', () => {
  const wide = z.object({ page: wholeNumber(1, Number.MAX_SAFE_INTEGER) });
  const reasons = (page: string) => wide.safeParse({ page }).error?.issues.map(({ message }) => message);
  for (const page of ['9007199254740992', '9'.repeat(17), '9'.repeat(400)]) {
    expect(reasons(page), page).toEqual([`Must be at most ${Number.MAX_SAFE_INTEGER}`]);
    expect(reasons(`-${page}`), page).toEqual(['Must be at least 1']);
  }
  expect(reasons('0')).toEqual(['Must be at least 1']);
  for (const page of ['1.5', 'x', '']) expect(reasons(page), page).toEqual(['Must be a whole number']);
});

test('a text that is not percent-encoded UTF-8 is a fault', () => {
  const detail = 'Must be percent-encoded UTF-8';
  for (const text of ['%ff', '%', '50%', '%c3', '%ed%a0%80', '%zz', 'a&customerId=%ff']) {
    expect(readQuery(`page=1&customerId=${text}`, schema), text).toEqual({
      query: { page: '1' },
      faults: [{ pointer: '/query/customerId', detail }],
    });
  }
  expect(readQuery('customerId=%EF%BF%BD%25', schema)).toEqual({
    query: { customerId: '\ufffd%' },
    faults: [],
  });
});

test('each unknown parameter has one fault, which names the known ones', () => {
  const known = 'is not a known parameter; known: page, customerId';
  expect(readQuery('a~/b=1&page=2&email=x&email=%ff&Page=3&__proto__=1', schema)).toEqual({
    query: { page: '2' },
    faults: [
      { pointer: '/query/a~0~1b', detail: `"a~/b" ${known}` },
      { pointer: '/query/email', detail: `"email" ${known}` },
      { pointer: '/query/Page', detail: `"Page" ${known}` },
      { pointer: '/query/__proto__', detail: `"__proto__" ${known}` },
    ],
  });
  expect(readQuery('email=x', z.object({})).faults).toEqual([
    { pointer: '/query/email', detail: '"email" is not a known parameter' },
  ]);
});

test('of very many unknown parameters, the first hundred have faults', () => {
  const query = Array.from({ length: 100_000 }, (_, n) => `x${n}`).join('&');
  expect(readQuery(query, schema).faults).toHaveLength(100);
});

test('a repeated parameter has one fault that says so, whatever its values', () => {
  const detail = 'Is repeated';
  expect(readQuery('page=1&page=1&customerId=a&customerId=&customerId=b', schema)).toEqual({
    query: {},
    faults: [
      { pointer: '/query/page', detail },
      { pointer: '/query/customerId', detail },
    ],
  });
});
