import { EvaluationFact_Kind } from '@parley/contracts/interaction/v1/facts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Figure, figureOf, figureNameOf, stepCounts, states, times } from './names.ts';

const kind = fc.constantFrom(...Object.values(EvaluationFact_Kind));
/** A key has no `/`. */
const key = fc.stringMatching(/^[A-Za-z]\w{0,20}$/);
const figures: fc.Arbitrary<Figure> = fc.oneof(
  fc.tuple(fc.constantFrom('created', 'started', ...states)),
  fc.tuple(fc.constant('step'), fc.constantFrom(...stepCounts), fc.string({ unit: 'grapheme' })),
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
