import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Condition, isField, readCondition, type Row, writeCondition } from './conditions.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/);
const of = fc.oneof(
  fc
    .tuple(fc.constantFrom('answers', 'others', 'context', 'customer', 'evaluation'), name)
    .map((parts) => parts.join('.')),
  fc.tuple(name, name).map((parts) => `answers.${parts.join('.')}`),
  fc.constantFrom('answers.in', 'answers.true', 'context.return', 'answers.has'),
);
const isPlain = (given: string) => given.split('.').every(isField);
const text = fc.string({ unit: 'grapheme' });
const literal = fc.oneof(
  text,
  fc.boolean(),
  fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const row: fc.Arbitrary<Row> = fc.oneof(
  fc.record({
    of,
    comparison: fc.constantFrom('==', '!=', '<', '<=', '>', '>=', 'has', 'hasNot'),
    operand: literal,
  }),
  fc.record({ of, comparison: fc.constantFrom('contains', 'containsNot'), operand: text }),
  fc.record({ of: of.filter(isPlain), comparison: fc.constantFrom('given', 'missing') }),
);
const condition: fc.Arbitrary<Condition> = fc
  .record({ join: fc.constantFrom('all', 'any'), rows: fc.array(row, { minLength: 1, maxLength: 5 }) })
  // One row is the same joined by either word.
  .map(({ join, rows }) => ({ join: rows.length === 1 ? 'all' : join, rows }));

test('a condition in rows is read as it was written', () => {
  fc.assert(
    fc.property(condition, (given) => {
      expect(readCondition(writeCondition(given))).toEqual(given);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['answers.score >= 9', [{ of: 'answers.score', comparison: '>=', operand: 9n }]],
  ['9 > answers.score', [{ of: 'answers.score', comparison: '<', operand: 9n }]],
  ['!(answers.a == "x")', [{ of: 'answers.a', comparison: '!=', operand: 'x' }]],
  ['answers.again', [{ of: 'answers.again', comparison: '==', operand: true }]],
  ['!answers.again', [{ of: 'answers.again', comparison: '!=', operand: true }]],
  ["'a' in answers.list", [{ of: 'answers.list', comparison: 'has', operand: 'a' }]],
  ['!has(customer.email)', [{ of: 'customer.email', comparison: 'missing' }]],
  ["answers['a-b'] == -2.5", [{ of: 'answers.a-b', comparison: '==', operand: -2.5 }]],
])('an expression of an author is read as rows: %s', (expression, rows) => {
  expect(readCondition(expression)).toEqual({ join: 'all', rows });
});

test.each([
  'answers.a == 1 && answers.b == 2 || answers.c == 3',
  'answers.a > answers.b',
  'size(answers.a) > 2',
  'answers.a + 1 > 2',
  'answers.a in ["x", "y"]',
  'answers == 2',
  'unknown.a == 2',
  'true',
  '1 == 1',
  "has(answers['a-b'])",
  "!has(answers['order'].size)",
  '!(answers.a < 2)',
  'answers.a ==',
  '',
])('what rows cannot say is not read: %s', (expression) => {
  expect(readCondition(expression)).toBeUndefined();
});

test('rows are joined by all or any, in any nesting', () => {
  expect(readCondition('answers.a == 1 && (answers.b == 2 && answers.c == 3)')).toMatchObject({
    join: 'all',
    rows: [{}, {}, {}],
  });
  expect(readCondition('answers.a == 1 || answers.b == 2')).toMatchObject({ join: 'any', rows: [{}, {}] });
});
