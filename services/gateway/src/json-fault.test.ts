import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeJsonFault, faultAt } from './json-fault.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('JSON that breaks off has its fault at the end', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, length) => {
      const part = text.slice(0, length % (text.length + 1));
      expect(faultAt(part)).toBe(part.length);
    }),
  );
});

test('the place is the first at which no JSON can go on', () => {
  const piece = fc.constantFrom(...'{}[],:"\\u0aef-1.E+ \n\u0001', 'true', 'nul', 'null', '"a"', '"\\u00e9"');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const at = faultAt(text);
      if (isJson(text)) expect(at).toBe(text.length);
      if (at === text.length) return;
      expect(isJson(text)).toBe(false);
      expect(faultAt(text.slice(0, at))).toBe(at);
      expect(faultAt(text.slice(0, at + 1))).toBeLessThanOrEqual(at);
    }),
    { numRuns: 5_000 },
  );
});

test('a text of any length is looked through in one go', () => {
  expect(faultAt(`"${'a'.repeat(250_000)}`)).toBe(250_001);
  expect(faultAt('['.repeat(250_000))).toBe(250_000);
  expect(describeJsonFault(`${'\n'.repeat(250_000)}x`)).toBe('Unexpected "x" at line 250001, column 1');
});
