import { expect, test } from 'vitest';
import { accepts, reads, refuses, takes } from '../../../tests/answers.ts';
import type { InputRule } from '../types.ts';
import { ranking } from './ranking.ts';

const choices = [
  { value: 'a', label: 'Price' },
  { value: 'b', label: 'Taste, and smell' },
  { value: 'c', label: 'Speed of the delivery' },
];
const rule = { type: 'ranking', choices } as const satisfies InputRule;
const best = { ...rule, rankMax: 1 } as const;

reads([
  [rule, 'b a c', ['b', 'a', 'c']],
  [rule, 'b, a, c', ['b', 'a', 'c']],
  [rule, 'B > C > A', ['b', 'c', 'a']],
  [rule, 'taste and smell, speed of the delivery, price', ['b', 'c', 'a']],
  [rule, '1. Taste, and smell\n2. Price\n3. Speed of the delivery', ['b', 'a', 'c']],
  [rule, '2. a, 1. b, 3. c', ['b', 'a', 'c']],
  [rule, 'first b', ['b', 'a', 'c']],
  [rule, 'b first', ['b', 'a', 'c']],
  [rule, 'last a', ['b', 'c', 'a']],
  [rule, 'c second', ['a', 'c', 'b']],
  // Only one is left.
  [rule, 'b a', ['b', 'a', 'c']],
  [rule, 'b b a', undefined],
  [rule, '1. a 1. b', undefined],
  [rule, 'fourth a', undefined],
  [rule, 'a but not b', undefined],
  [rule, 'x y z', undefined],
  [rule, '', undefined],
  [best, 'first b', ['b']],
  [best, 'b', ['b']],
]);

accepts([
  [rule, ['c', 'a', 'b'], ['c', 'a', 'b']],
  [best, ['c'], ['c']],
]);

refuses([
  [rule, 'a', 'not-a-choice'],
  [rule, ['a', 'b', 'x'], 'not-a-choice'],
  [rule, ['a', 'b', 'a'], 'ranked-twice'],
  [rule, ['a', 'b'], 'wrong-places'],
  [rule, [], 'wrong-places'],
  [best, ['a', 'b'], 'wrong-places'],
]);

takes([[rule, 'Ｂ，Ａ，Ｃ', ['b', 'a', 'c']]]);

test('the evaluation has the values in order, and its figures count each with its place', () => {
  const text = ranking.evaluationText(['b', 'a', 'c']);
  expect(text).toBe('b, a, c');
  expect(ranking.countedValues(ranking.partsOf(text), ['a', 'b', 'c'])).toEqual(['1/b', '2/a', '3/c']);
  expect(ranking.countedValues(ranking.partsOf('b, [removed]'), ['a', 'b'])).toEqual(['1/b']);
});

test('there are not more places than choices', () => {
  const pointers: string[] = [];
  ranking.reportFaults({ ...rule, rankMax: 4 }, { locale: 'en', patternsLeft: 0 }, (pointer) =>
    pointers.push(pointer),
  );
  expect(pointers).toEqual(['/rankMax']);
});
