import fc from 'fast-check';
import { expect, test } from 'vitest';
import { customerId, detail, id, jsonValue, textSchema } from './text.ts';

const [personName, email] = [detail('firstName'), detail('email')];

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

test('lengths are code points, not UTF-16 units', () => {
  const schema = textSchema({ min: 1, max: 3 });
  expect(accepts(schema, '🙂🙂🙂')).toBe(true);
  expect(accepts(schema, '🙂🙂🙂🙂')).toBe(false);
  expect(accepts(schema, '')).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), (value) => {
      const isFit = !value.includes('\0') && Array.from(value).length <= 3;
      return accepts(schema, value) === isFit;
    }),
  );
});

test('text that cannot be stored is rejected: lone surrogates and U+0000', () => {
  for (const value of ['\ud800', 'a\udc00b', 'a\0']) {
    expect(accepts(personName, value)).toBe(false);
    expect(accepts(customerId, value)).toBe(false);
    expect(accepts(jsonValue, { a: [{ b: value }] })).toBe(false);
    expect(accepts(jsonValue, { [value]: 1 })).toBe(false);
  }
  expect(accepts(jsonValue, { a: ['\\u0000', 1, null, true] })).toBe(true);
});

test('a customer id is any text of 1 to 255 characters without control characters, except . and ..', () => {
  for (const value of ['a', 'a/b?c#d%', ' ', '...', 'é', 'e\u0301', '🙂'.repeat(255)]) {
    expect(accepts(customerId, value), value).toBe(true);
  }
  for (const value of ['', '.', '..', 'a\n', 'a\x7f', 'a\x85', 'x'.repeat(256), 7, null]) {
    expect(accepts(customerId, value)).toBe(false);
  }
});

test('names may contain line breaks', () => {
  expect(accepts(personName, 'a\nb')).toBe(true);
});

test('an email address is checked for its form, and may be empty', () => {
  const good = [
    '',
    'a@b.example',
    "o'hara+tag@mail.b-c.example",
    'jörg@müller.example',
    `${'a'.repeat(300)}@b.example`,
  ];
  for (const value of good) expect(accepts(email, value), value).toBe(true);
  const bad = [
    'a',
    'a@',
    '@b.example',
    'a@b',
    'a b@c.example',
    'a@b@c.example',
    'a@b..example',
    '.a@b.example',
  ];
  for (const value of [...bad, 'a@b.example\n', `${'a'.repeat(320)}@b.example`]) {
    expect(accepts(email, value), value).toBe(false);
  }
});

test('an id is a UUID', () => {
  expect(accepts(id, '01a1fc76-9e91-7765-804b-d6685e4dc567')).toBe(true);
  expect(accepts(id, '01a1fc76-9e91-7765-804b-d6685e4dc56')).toBe(false);
  expect(accepts(id, '01a1fc76-9e91-7765-804b-d6685e4dc567\n')).toBe(false);
});
