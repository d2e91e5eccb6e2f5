import { describe, expect, test } from 'vitest';
import { toJson } from './json.ts';

const prototypes = [Object, Array, String, Number, Boolean, Date].map(({ prototype }) => prototype as object);
const native = Object.getOwnPropertyDescriptor(Date.prototype, 'toJSON') as PropertyDescriptor;

/** Runs while these prototypes have the `toJSON` of a library that had to serialise without `JSON`. */
function whilePatched<Result>(patched: object[], run: () => Result): Result {
  for (const prototype of patched) {
    const value = function (this: unknown): string {
      return `"${String(this)}"`;
    };
    Object.defineProperty(prototype, 'toJSON', {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  try {
    return run();
  } finally {
    for (const prototype of patched) Reflect.deleteProperty(prototype, 'toJSON');
    // oxlint-disable-next-line no-extend-native -- restores it
    Object.defineProperty(Date.prototype, 'toJSON', native);
  }
}

const values: [string, unknown][] = [
  ['an array', { value: ['a', 'b', []] }],
  ['an object', { a: { b: null, c: [{}] } }],
  ['texts, numbers and booleans', ['a"b\u2028', 1.5, Number.NaN, true, null]],
  ['undefined and functions', { a: undefined, b: [undefined, () => 1] }],
  ['dates', [new Date(0), new Date(Number.NaN)]],
  ['a URL', { url: new URL('https://shop.example/a') }],
];

describe('the JSON of a value is that of a page without old libraries', () => {
  test.each(values)('with nothing patched: %s', (_, value) => {
    expect(toJson(value)).toBe(JSON.stringify(value));
  });

  test.each(values)('with each prototype patched: %s', (_, value) => {
    const expected = JSON.stringify(value);
    for (const patched of [...prototypes.map((one) => [one]), prototypes]) {
      expect(whilePatched(patched, () => toJson(value))).toBe(expected);
    }
  });
});

test('a cycle is a TypeError', () => {
  const value: { self?: unknown } = {};
  value.self = value;
  expect(() => toJson(value)).toThrow(TypeError);
});
