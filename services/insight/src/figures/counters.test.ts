import { EvaluationFact_Kind } from '@parley/contracts/interaction/v1/facts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketOf,
  type Figure,
  figureOf,
  middleOf,
  figureNameOf,
  states,
  stepCounts,
  times,
} from './counters.ts';

const kind = fc.constantFrom(...Object.values(EvaluationFact_Kind));
/** A key has no `/`. */
const key = fc.stringMatching(/^[A-Za-z]\w{0,20}$/);
const figures: fc.Arbitrary<Figure> = fc.oneof(
  fc.tuple(fc.constantFrom('created', 'started', ...states)),
  fc.tuple(fc.constant('step'), fc.constantFrom(...stepCounts), fc.string({ unit: 'grapheme' })),
  fc.tuple(fc.constant('way'), key, key),
  fc.tuple(fc.constant('time'), fc.constantFrom(...times), fc.nat({ max: 300 }).map(String)),
  fc.tuple(fc.constant('has'), kind, key),
  fc.tuple(fc.constant('value'), kind, key, fc.string({ unit: 'grapheme' })),
);

test('a name says which counter it is, also with slashes in the last part', () => {
  fc.assert(
    fc.property(figures, (figure) => {
      expect(figureOf(figureNameOf(figure))).toEqual(figure);
    }),
  );
  expect(figureOf('value/Choice/plan/a/b')).toEqual(['value', 'Choice', 'plan', 'a/b']);
});

test('the middle of a bucket differs from its times by less than 5 %', () => {
  const seconds = fc.double({ min: 1, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(seconds, (value) => {
      expect(Math.abs(middleOf(bucketOf(value)) / value - 1)).toBeLessThan(0.05);
    }),
  );
});

test('a longer time is in no lower bucket, and all times below a second are in the same one', () => {
  const seconds = fc.double({ min: 0, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(seconds, seconds, (one, other) => {
      const [shorter, longer] = one < other ? [one, other] : [other, one];
      expect(bucketOf(shorter)).toBeLessThanOrEqual(bucketOf(longer));
    }),
  );
  expect([0, 0.5, 0.999].map(bucketOf)).toEqual([0, 0, 0]);
  expect(bucketOf(1)).toBe(1);
});
