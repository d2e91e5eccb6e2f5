import { expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { planOf } from '../plan/plan.ts';
import { simulate } from '../replay/simulate.ts';
import { validateDefinition } from '../validation/definition.ts';
import { answer, beginConversation } from './engine.ts';
import { teaser } from './teaser.ts';

const yesNo = (id: string, more: object = {}) => ({
  id,
  kind: 'ask',
  text: id,
  input: { type: 'yesNo' },
  ...more,
});
const add = (id: string, expression: string, next?: string) => ({
  id,
  kind: 'set',
  evaluation: { score: expression },
  ...(next !== undefined && { next }),
});

const quiz = valid({
  ...draft([
    add('start', '0'),
    yesNo('one', { next: [{ if: 'answers.one', goto: 'more' }, { else: 'two' }] }),
    add('more', 'double(evaluation.score) + 2'),
    yesNo('two', { next: [{ if: 'answers.two', goto: 'most' }, { else: 'judge' }] }),
    add('most', 'double(evaluation.score) + 3'),
    {
      id: 'judge',
      kind: 'branch',
      next: [{ if: 'double(evaluation.score) >= 3.0', goto: 'good' }, { else: 'bad' }],
    },
    { id: 'good', kind: 'end', text: 'Good: {{evaluation.score}} points' },
    { id: 'bad', kind: 'end', text: 'Not yet: {{ evaluation.score|no }} points {{evaluation.none|nothing}}' },
  ]),
  evaluation: { score: {}, none: {} },
});

const last = (answers: boolean[]) =>
  simulate(quiz, {
    answers: answers.map((value, index) => ({ stepId: index === 0 ? 'one' : 'two', value })),
  }).transcript.at(-1)?.body;

test('expressions and texts read what the evaluation has at that moment', () => {
  expect(last([true, true])).toBe('Good: 5 points');
  expect(last([false, true])).toBe('Good: 3 points');
  expect(last([true, false])).toBe('Not yet: 2 points nothing');
  expect(last([false, false])).toBe('Not yet: 0 points nothing');
});

test('the expressions of one step see the values from before it', () => {
  const swap = valid({
    ...draft([
      { id: 'first', kind: 'set', evaluation: { a: "'left'", b: "'right'" } },
      { id: 'swap', kind: 'set', evaluation: { a: 'evaluation.b', b: 'evaluation.a' } },
      { id: 'end', kind: 'end', text: '{{evaluation.a}} {{evaluation.b}}' },
    ]),
    evaluation: { a: {}, b: {} },
  });
  expect(simulate(swap, { answers: [] }).transcript.at(-1)?.body).toBe('right left');
});

test('a key that is not declared is a fault, in texts and in expressions', () => {
  const faulty = {
    ...draft([
      { id: 'set', kind: 'set', evaluation: { known: 'evaluation.other' } },
      { id: 'end', kind: 'end', text: '{{evaluation.other}}' },
    ]),
    evaluation: { known: {} },
  };
  expect(validateDefinition(faulty)).toMatchObject({
    faults: [
      { pointer: '/steps/0/evaluation/known', detail: expect.stringContaining('evaluation.<key>') },
      { pointer: '/steps/1/text', detail: 'The evaluation key "other" is not declared under "evaluation".' },
    ],
  });
});

test('what is computed from a personal value is personal, over any number of steps, also in texts and for a model', () => {
  const bot = valid({
    ...draft([
      { id: 'mail', kind: 'ask', text: 'E-mail?', input: { type: 'email' }, pii: true, evaluation: 'mail' },
      { id: 'third', kind: 'set', evaluation: { third: 'evaluation.second' } },
      { id: 'second', kind: 'set', evaluation: { second: "'<' + evaluation.mail + '>'" } },
      {
        id: 'sum',
        kind: 'llm',
        mode: 'summarise',
        prompt: 'Say {{evaluation.third}}.',
        saveAs: 'sum',
        onError: { goto: 'end' },
      },
      { id: 'end', kind: 'end', text: 'We write to {{evaluation.second}}.' },
    ]),
    evaluation: { mail: {}, second: {}, third: {} },
  });
  const { personalKeys, personalAnswers } = planOf(bot);
  expect([...personalKeys].toSorted()).toEqual(['mail', 'second', 'third']);
  expect(personalAnswers.has('sum')).toBe(true);
  const { state } = beginConversation(bot, { customer: { id: '1' }, context: {}, now: 0 });
  const turn = answer(bot, state, { stepId: 'mail', answer: { value: 'a@example.com' }, now: 1 });
  expect('rejected' in turn ? turn : turn.entries.at(-1)).toMatchObject({
    body: 'We write to <a@example.com>.',
    personal: [[12, 27]],
  });
});

test('first words that a set value fills are known to need the customer', () => {
  const bot = valid({
    ...draft([
      { id: 'who', kind: 'set', evaluation: { who: 'customer.firstName' } },
      { id: 'end', kind: 'end', text: 'Hi {{evaluation.who}}' },
    ]),
    evaluation: { who: {} },
  });
  expect(planOf(bot).teaserNamesCustomer).toBe(true);
  expect(teaser(bot, { customer: { id: '1', firstName: 'Mia' }, context: {} })).toBe('Hi Mia');
});
