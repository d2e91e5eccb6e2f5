import { describe, expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { celExpressions } from './cel.ts';
import type { CelBindings, CelType, CelValue } from './cel-types.ts';
import { newTurnBudget } from '../bounds/turn-budget.ts';

const answers: Record<string, CelType | Record<string, CelType>> = {
  order: { size: 'int' },
  any: 'dyn',
  score: 'int',
  hours: 'double',
  why: 'string',
  skills: 'list<string>',
  ok: 'bool',
  constructor: 'string' as const,
};
const expressions = celExpressions({
  answers,
  context: { amount: 'string' },
  customer: { firstName: 'string' },
});
const bindings = (given: Record<string, CelValue>): CelBindings => ({
  answers: new Map(Object.entries(given)),
  context: new Map([['amount', '120.5']]),
  customer: new Map([['firstName', 'Mia']]),
});

const holds = (expression: string, given: CelBindings) =>
  expressions.holds(expression, given, newTurnBudget());
const value = (expression: string, given: CelBindings) =>
  expressions.value(expression, given, newTurnBudget());

describe('expressions that can be published', () => {
  test.each([
    'answers.score >= 9 && !(answers.ok || customer.firstName == "Mia")',
    'double(context.amount) > 100',
    'has(answers.why) && answers.why.contains("slow")',
    'has(answers.order.size) || has(answers.order) || has(context.amount) || has(customer.firstName)',
    'has(answers.any.field)',
    "'a' in answers.skills && size(answers.skills) > 1",
    'answers.hours >= answers.score && answers.hours == 2 && 2 != answers.hours',
    'answers.why.trim().lowerAscii().startsWith("x")',
    'answers.skills == [] || "a" in [] || {} == {}',
  ])('%s', (expression) => {
    expect(expressions.fault(expression, 'condition')).toBeUndefined();
  });

  test.each([
    ['a pattern that could backtrack', 'answers.why.matches("(a+)+$")', '"matches" is not available'],
    ['a loop', 'answers.skills.all(x, x == "a")', '"all" is not available'],
    ['a loop', 'answers.skills.exists(x, x == "a")', '"exists" is not available'],
    ['a loop', 'answers.skills.exists_one(x, x == "a")', '"exists_one" is not available'],
    ['a loop', 'size(answers.skills.map(x, x)) > 0', '"map" is not available'],
    ['a loop', 'size(answers.skills.filter(x, true)) > 0', '"filter" is not available'],
    [
      'a loop deep inside',
      '[{"a": has(answers.why) ? answers.skills.all(x, true) : true}.a][0]',
      '"all" is not available',
    ],
    ['a name for a value', 'cel.bind(x, answers.score, x > 1)', '"bind" is not available'],
    ['splitting', 'size(answers.why.split("")) > 1', '"split" is not available'],
    ['the clock or zone', 'timestamp("2026-01-01T00:00:00Z").getHours() > 1', '"getHours" is not available'],
    ['an unknown answer', 'answers.nope > 1', '"nope" is not declared'],
    ['an unknown variable', 'evaluation.x == "1"', '"evaluation" is not declared'],
    ['has() of an unknown answer', 'has(answers.nope)', '"nope" is not declared'],
    [
      'has() of an unknown answer, negated',
      '!(answers.ok || has( answers . nope ))',
      '"nope" is not declared',
    ],
    ['has() of an unknown property', 'has(context.nope)', '"nope" is not declared'],
    ['has() of an unknown field', 'has(customer.phone)', '"phone" is not declared'],
    ['has() of an unknown field of an answer', 'has(answers.order.x)', '"x" is not declared'],
    ['a field of a list', 'has(answers.skills.x)', '"answers.skills.x" is not declared'],
    ['a field of a text', 'has(answers.why.x)', '"answers.why.x" is not declared'],
    ['the prototype', 'answers.__proto__ == "x"', '"__proto__" is not declared'],
    ['types that do not fit', 'answers.why <= 3', 'string <= int'],
    ['a number as condition', 'answers.score', 'of type int'],
    ['broken syntax', 'answers.score >=', 'This is not an expression: it ends too early, at character 17.'],
    ['broken syntax', '(answers.ok', 'This is not an expression: it ends too early, at character 12.'],
    ['broken syntax', '%2F', 'This is not an expression: "%" is not expected here, at character 1.'],
    ['broken syntax', '(answers.ok ]', '"]" is not expected here, at character 13.'],
    ['too many characters', `answers.score > 1${' && true'.repeat(70)}`, 'at most 500'],
    ['text that Postgres rejects', "answers.why == 'a\\x00b'", 'must not hold the character U+0000'],
    ['text that Postgres rejects', "answers.why == '\\u0000'", 'must not hold the character U+0000'],
    ['a number of more than 64 bits', 'answers.score < 9223372036854775808', 'a whole number has 64 bits'],
    ['a number of more than 64 bits', 'answers.score > -0x8000000000000001', 'a whole number has 64 bits'],
    [
      'an argument of another type',
      'answers.why.substring("x") == ""',
      "no matching overload for 'string.substring(string)'",
    ],
    ['a name that is not CEL', 'answers.why.indexOfPoint("x") == 1', '"indexOfPoint" is not available'],
    ['deep nesting', `${'('.repeat(200)}true${')'.repeat(200)}`, 'not an expression'],
  ])('not %s: %s', (_why, expression, detail) => {
    expect(expressions.fault(expression, 'condition')).toContain(detail);
  });

  test.each([
    [
      'context.amount > 18',
      'string > int, at character 16; int(...) or double(...) makes a number of a text.',
    ],
    ['answers.ok && 2.5 <= ( context.amount )', 'double <= string, at character 19; int(...) or double(...)'],
    ['(answers.why) == answers.score', 'string == int, at character 15; int(...)'],
    ['answers.why == answers.ok', 'string == bool, at character 13.'],
    ['answers.why.substring("x") == ""', 'at character 1.'],
  ])('types that do not fit are named with the place of the operator: %s', (expression, detail) => {
    expect(expressions.fault(expression, 'condition')).toContain(detail);
  });

  test('a value is a string, a number or a bool', () => {
    expect(expressions.fault('answers.score + 1', 'value')).toBeUndefined();
    expect(expressions.fault('answers.hours * 2 + answers.score', 'value')).toBeUndefined();
    expect(expressions.fault('answers.skills', 'value')).toContain('of type list<string>');
    expect(expressions.fault('null', 'value')).toContain('of type null');
  });
});

describe('evaluation', () => {
  test('a comparison with a missing answer is false', () => {
    for (const operator of ['<', '<=', '>', '>=', '==', '!=']) {
      expect(holds(`answers.score ${operator} 7`, bindings({}))).toBe(false);
    }
    expect(holds('!answers.ok', bindings({}))).toBe(false);
    expect(holds('has(answers.score)', bindings({}))).toBe(false);
    expect(holds('answers.ok || answers.score < 7', bindings({ score: 3n }))).toBe(true);
  });

  test('a name of the object prototype counts as missing until it is answered', () => {
    expect(holds('has(answers.constructor)', bindings({}))).toBe(false);
    expect(value('answers.constructor', bindings({}))).toBeUndefined();
    expect(value('answers["constructor"]', bindings({ constructor: 'x' }))).toBe('x');
  });

  test('whole numbers and decimals mix', () => {
    const given = bindings({ score: 3n, hours: 2.5 });
    expect(value('answers.score + answers.hours', given)).toBe(5.5);
    expect(value('answers.hours - answers.score', given)).toBe(-0.5);
    expect(value('answers.hours * 2', given)).toBe(5);
    expect(value('answers.score / 2.0', given)).toBe(1.5);
    expect(holds('answers.hours < answers.score && answers.score > 2.9', given)).toBe(true);
    expect(holds('3.0 == answers.score', given)).toBe(true);
  });

  test('lists and maps can be empty', () => {
    expect(holds('answers.skills == [] && size([]) == 0', bindings({ skills: [] }))).toBe(true);
    expect(holds('answers.skills == [] || "a" in []', bindings({ skills: ['a'] }))).toBe(false);
    expect(holds('{} == {} && !("a" in {}) && {} != {"a": 1}', bindings({}))).toBe(true);
  });

  test('a failing expression has no value', () => {
    expect(value('1 / 0', bindings({}))).toBeUndefined();
    expect(value('int(context.amount)', bindings({}))).toBeUndefined();
    expect(value('answers.skills[5]', bindings({ skills: ['a'] }))).toBeUndefined();
  });

  test.each([
    ['size(answers.why)', 3n],
    ["answers.why.indexOf('b')", 2n],
    ["answers.why.indexOf('b', 2)", 2n],
    ["answers.why.indexOf('')", 0n],
    ["answers.why.indexOf('', 3)", 3n],
    ["answers.why.indexOf('a', 1)", -1n],
    ["answers.why.indexOf('a', 3)", undefined],
    ["answers.why.indexOf('', 4)", undefined],
    ["answers.why.indexOf('a', -1)", undefined],
    ['answers.why.substring(0, 1)', 'a'],
    ['answers.why.substring(1, 2)', '😀'],
    ['answers.why.substring(2)', 'b'],
    ['answers.why.substring(3)', ''],
    ['answers.why.substring(4)', undefined],
    ['answers.why.substring(-1)', undefined],
    ['answers.why.substring(2, 1)', undefined],
    ['answers.why.substring(0, 4)', undefined],
    ["answers.why.substring(answers.why.indexOf('b'))", 'b'],
    ["answers['why'].substring(0, size('a'))", 'a'],
  ])('text positions count code points, and one out of range fails: %s', (expression, expected) => {
    expect(value(expression, bindings({ why: 'a😀b' }))).toBe(expected);
  });

  test.each([
    ['int(2.9)', 2n],
    ['int(-2.9)', -2n],
    ["int('42')", 42n],
    ["int('-9223372036854775808')", -9223372036854775808n],
    ['-9223372036854775808', -9223372036854775808n],
    ['int(1e300)', undefined],
    ['int(9223372036854775807.0)', undefined],
    ["int('9223372036854775808')", undefined],
    ["int('')", undefined],
    ["int('0x1f')", undefined],
    ['9223372036854775807 + 1', undefined],
    ['-9223372036854775808 / -1', undefined],
    ['--9223372036854775808', undefined],
  ])('a whole number has 64 bits; a larger one fails: %s', (expression, expected) => {
    expect(value(expression, bindings({}))).toBe(expected);
  });

  test('a forbidden function does not run in an unchecked expression', () => {
    expect(holds('"aaa".matches("a+")', bindings({}))).toBe(false);
    expect(holds('[1].all(x, x == 1)', bindings({}))).toBe(false);
  });

  test.each([
    ["'call ' + answers.phone", ['answers.phone']],
    ['answers["phone"].trim().substring(1, 3)', ['answers.phone']],
    ["has(answers.phone) && size(answers.phone) > 9 ? 'yes' : context.place", ['context.place']],
    ['answers.age >= 18', []],
    ['!(customer.email.endsWith("example.com"))', []],
    ['answers.order.size', ['answers.order.size']],
    ['answers.skills[0]', ['answers.skills']],
    ['answers[context.name]', ['answers', 'context.name']],
    ['-answers.score + 1', ['answers.score']],
    ['no expression', []],
  ])('the value of %s reveals %j', (expression, fields) => {
    expect(expressions.readableFields(expression)).toEqual(fields);
  });
});

test('conditions on texts take linear time, also for near matches', () => {
  const sum = (times: number) => Array.from({ length: times }, () => 'answers.why').join('+');
  const given = bindings({ why: 'a'.repeat(100_000) });
  const wanted = `${sum(2)} + "b" + ${sum(8)}`;
  for (const expression of [`(${sum(20)}).contains(${wanted})`, `(${sum(20)}).indexOf(${wanted}) == 3`]) {
    expect(expressions.fault(expression, 'condition')).toBeUndefined();
    const budget = { unitsLeft: Number.POSITIVE_INFINITY };
    expect(completes(() => expressions.holds(expression, given, budget))).toBe(false);
  }
});
