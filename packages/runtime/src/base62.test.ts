import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase62, toBase62 } from './base62.ts';

test.each([
  [0n, '0'],
  [9n, '9'],
  [10n, 'A'],
  [36n, 'a'],
  [61n, 'z'],
  [62n, '10'],
  [62n ** 8n, '100000000'],
  [2n ** 128n - 1n, '7n42DGM5Tflk9n8mt7Fhc7'],
])('%s is %s', (value, digits) => {
  expect(toBase62(value)).toBe(digits);
  expect(fromBase62(digits)).toBe(value);
});

test('every number is parsed as it was written, in letters and digits, padded with zeros', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.integer({ min: 1, max: 50 }),
      (value, lengthMin) => {
        const digits = toBase62(value, lengthMin);
        expect(digits).toMatch(/^[0-9A-Za-z]+$/);
        expect(fromBase62(digits)).toBe(value);
        expect(digits).toHaveLength(Math.max(lengthMin, toBase62(value).length));
      },
    ),
  );
});
