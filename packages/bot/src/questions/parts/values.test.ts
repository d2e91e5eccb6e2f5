import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluationText } from './values.ts';

test('numbers are stored in the shortest decimal notation', () => {
  const shown = [0, -2.5, 42000, 1e-7, 1.5e-10, -3e-9, 1e21, 0.1 + 0.2, 9n].map(evaluationText);
  expect(shown).toEqual([
    '0',
    '-2.5',
    '42000',
    '0.0000001',
    '0.00000000015',
    '-0.000000003',
    '1000000000000000000000',
    '0.30000000000000004',
    '9',
  ]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = evaluationText(value);
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(text)).toBe(value + 0);
    }),
  );
});

test('the evaluation is well-formed Unicode without U+0000, which Postgres rejects', () => {
  expect(evaluationText('a\0b\ud83d')).toBe('ab\ufffd');
  expect(evaluationText(['\udc00', '\0'])).toBe('\ufffd,');
  expect(evaluationText('😀')).toBe('😀');
});
