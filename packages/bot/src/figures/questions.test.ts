import { describe, expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { factsOf } from './facts.ts';
import { questionsOf } from './questions.ts';

const choices = (...values: string[]) => values.map((value) => ({ value, label: value }));
const asks = [
  { id: 'score', kind: 'ask', text: '?', input: { type: 'nps' } },
  { id: 'size', kind: 'ask', text: '?', input: { type: 'choice', choices: choices('s', 'l') } },
  {
    id: 'source',
    kind: 'ask',
    text: '?',
    evaluation: 'source',
    input: { type: 'choice', choices: choices('web'), other: { label: 'Other' } },
  },
  { id: 'name', kind: 'ask', text: '?', input: { type: 'text' } },
  { id: 'age', kind: 'ask', text: '?', input: { type: 'number' }, pii: true },
];

function botWith(...steps: object[]) {
  return valid(
    draft([...asks, ...steps, { id: 'bye', kind: 'end' }], {
      context: [{ name: 'plan' }],
      evaluation: { key: {}, source: {} },
    }),
  );
}

function setting(...expressions: string[]) {
  const sets = expressions.map((key, index) => ({ id: `set${index}`, kind: 'set', evaluation: { key } }));
  return botWith(...sets);
}

function countingOf(bot: ReturnType<typeof botWith>, key = 'key') {
  const found = questionsOf(bot).evaluation.find((one) => one.key === key);
  return [found?.kind, ...(found?.values ?? [])];
}

describe('a computed value is counted', () => {
  test.each([
    [
      "answers.score >= 9 ? 'promoter' : answers.score >= 7 ? 'passive' : 'detractor'",
      'choice',
      'promoter',
      'passive',
      'detractor',
    ],
    ["'vip'", 'choice', 'vip'],
    ["answers.size == 's' ? 'none' : answers.size", 'choice', 'none', 's', 'l'],
    ['answers.source', 'choice', 'web', 'other'],
    ['answers.score > 6', 'yesNo', 'yes', 'no'],
    ['answers.score * 10', 'number'],
    ['answers.score > 6 ? 1.5 : 2.5', 'number'],
  ])('%s', (expression, ...counting) => expect(countingOf(setting(expression))).toEqual(counting));

  test('with all values of all steps that write the key, also of questions', () => {
    expect(countingOf(setting("'a'", "answers.score > 3 ? 'b' : 'a'"))).toEqual(['choice', 'a', 'b']);
    const asked = {
      id: 'why',
      kind: 'ask',
      text: '?',
      evaluation: 'key',
      input: { type: 'choice', choices: choices('x') },
    };
    const set = { id: 'set', kind: 'set', evaluation: { key: "'y'" } };
    expect(countingOf(botWith(asked, set))).toEqual(['choice', 'x', 'y']);
  });

  test('as conversations have it', () => {
    const bot = setting("answers.score >= 9 ? 'fan' : 'other'");
    const facts = factsOf(bot, { stepId: null, answers: {}, steps: [] }, { key: 'fan' });
    expect(facts.evaluation).toEqual([{ key: 'key', kind: 'choice', values: ['fan'] }]);
  });
});

describe('a computed value that may be any text, or personal, is not counted', () => {
  test.each([
    'answers.name',
    "answers.score > 6 ? 'fan' : answers.name",
    "'a' + answers.size",
    'context.plan',
    'others.source',
    'customer.email',
    'answers.age + 1.0',
  ])('%s', (expression) => expect(countingOf(setting(expression))).toEqual(['text']));

  test('and neither is one whose key is of several types, or that may replace own words', () => {
    expect(countingOf(setting("'a'", 'answers.score > 3'))).toEqual(['text']);
    const set = { id: 'set', kind: 'set', evaluation: { source: "'none'" } };
    expect(countingOf(botWith(set), 'source')).toEqual(['text']);
    expect(countingOf(botWith(), 'source')).toEqual(['choice', 'web', 'other']);
  });
});

test('the themes that a model has found are counted', () => {
  const llm = { kind: 'llm', prompt: 'About {{answers.name}}', onError: { goto: 'bye' } };
  const classify = { ...llm, id: 'sort', mode: 'classify', labels: ['price', 'quality'], evaluation: 'key' };
  expect(countingOf(botWith(classify))).toEqual(['choice', 'price', 'quality']);
  const fields = { themes: { input: { type: 'multiChoice', choices: choices('price', 'staff') } } };
  const extract = { ...llm, id: 'find', mode: 'extract', fields, evaluation: { key: 'themes' } };
  expect(countingOf(botWith(extract))).toEqual(['multiChoice', 'price', 'staff']);
});
