import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completes } from '../tests/completes.ts';
import { draft, valid } from '../tests/definitions.ts';
import { redactedEntries, redactedEvaluation, redactedState } from '../tests/redact.ts';
import type { Entry } from './conversation.ts';
import { answer, start } from './engine.ts';
import { redactContext, removerFor } from './redact.ts';
import { valueRemover } from './remove-values.ts';

const choices = [
  { value: 'd', label: 'Diabetes' },
  { value: 'a', label: 'Hay fever' },
];
const bot = valid(
  draft(
    [
      { id: 'phone', kind: 'ask', text: 'Phone?', input: { type: 'phone' }, pii: true },
      { id: 'born', kind: 'ask', text: 'Born on?', input: { type: 'date' }, pii: true },
      { id: 'salary', kind: 'ask', text: 'Salary?', input: { type: 'number' }, pii: true },
      { id: 'ill', kind: 'ask', text: 'What?', input: { type: 'multiChoice', choices }, evaluation: 'ill' },
      { id: 'smokes', kind: 'ask', text: 'Smoke?', input: { type: 'yesNo' }, pii: true },
      {
        id: 'more',
        kind: 'ask',
        text: 'More for {{context.street}}?',
        input: { type: 'longText' },
        evaluation: 'more',
      },
      {
        id: 'sums',
        kind: 'set',
        evaluation: { place: "'at ' + context.street", known: "has(context.street) ? 'yes' : 'no'" },
      },
      { id: 'bye', kind: 'end', text: 'Yes, {{answers.more}}' },
    ],
    {
      context: [
        { name: 'street', pii: true },
        { name: 'shop', default: 'our shop', pii: true },
        { name: 'plan' },
      ],
      evaluation: { ill: { pii: true }, more: {}, place: {}, known: {} },
    },
  ),
);

const customer = { id: 'c-1', firstName: 'Mia', lastName: 'Lindqvist', email: 'mia@example.com' };
const context = [
  { key: 'street', value: 'Rue de l’Été 7' },
  { key: 'shop', value: 'our shop' },
  { key: 'plan', value: 'for rue de l\u2019e\u0301te\u0301 7, in our shop' },
];

/** Holds a conversation that ends with the given words, and redacts it. */
function redactedWith(more: string) {
  const values: Record<string, string> = Object.fromEntries(context.map(({ key, value }) => [key, value]));
  let turn = start(bot, { customer, context: values, now: 1 });
  const entries: Entry[] = [...turn.entries];
  for (const [stepId, value] of [
    ['phone', '+49 30 1234567'],
    ['born', '1985-03-07'],
    ['salary', 42_000],
    ['ill', ['d', 'a']],
    ['smokes', true],
    ['more', more],
  ] as const) {
    const next = answer(bot, turn.state, { stepId, answer: { value }, now: 1 });
    if ('rejected' in next) throw new Error(next.rejected.detail);
    turn = next;
    entries.push(...turn.entries);
  }
  const remove = removerFor(bot, { state: turn.state, context }, Object.values(customer).slice(1));
  return {
    said: redactedEntries(entries, remove)
      .slice(-2)
      .map(({ body }) => body),
    bodies: redactedEntries(entries, remove).map(({ body }) => body),
    evaluation: redactedEvaluation(bot, turn.evaluation, remove),
    state: redactedState(bot, turn.state, remove),
    context: redactContext(bot, context, remove),
  };
}

describe('a personal answer that the customer repeats is removed', () => {
  test.each([
    ['call +49 30 1234567 please', 'call [removed] please'],
    ['call 0049-30/123.45.67!', 'call 00[removed]!'],
    ['(030) 1234567', '(0[removed]'],
    ['tel:+49301234567x', 'tel:[removed]x'],
    ['０３０　１２３４５６７', '０[removed]'],
    ['٣٠ ١٢٣ ٤٥٦٧', '[removed]'],
    ['born 7.3.1985, or 07/03/1985, or 1985/3/7', 'born [removed], or [removed], or [removed]'],
    ['I earn 42.000 or 42,000.00 or 42 000', 'I earn [removed] or [removed].00 or [removed]'],
    ['DIABETES and hay-fever', '[removed] and [removed]'],
    ['near RUE DE L\u2019ÉTÉ 7!', 'near [removed]!'],
    ['yes, in our shop', 'yes, in our shop'],
    ['I have 420 and 1985 of 3', 'I have 420 and 1985 of 3'],
  ])('%s', (more, removed) => {
    const { said, evaluation, state } = redactedWith(more);
    expect(said).toEqual([removed, `Yes, ${removed}`]);
    expect(evaluation['more']).toBe(removed);
    expect(state.answers['more']).toBe(removed);
  });
});

test('context that the bot marks is removed with its repetitions and what is made of it, other context stays', () => {
  const { context: kept, state, evaluation, bodies } = redactedWith('nothing');
  const removedPlan = 'for [removed], in our shop';
  expect(kept).toEqual([
    { key: 'street', value: '[removed]' },
    { key: 'shop', value: '[removed]' },
    { key: 'plan', value: removedPlan },
  ]);
  expect(state.context).toEqual({ street: '[removed]', shop: '[removed]', plan: removedPlan });
  expect(evaluation).toMatchObject({ place: '[removed]', known: 'yes' });
  expect(bodies).toContain('More for [removed]?');
});

test('personal context of an interaction that has not started is removed', () => {
  const remove = removerFor(bot, { state: null, context }, []);
  expect(redactContext(bot, context, remove).map(({ value }) => value)).toEqual([
    '[removed]',
    '[removed]',
    'for [removed], in our shop',
  ]);
});

test('however a value with digits is typed again, none of it stays, and removing is idempotent', () => {
  const value = fc
    .tuple(fc.stringMatching(/^[a-z]{0,3}$/), fc.stringMatching(/^\d{5,14}$/))
    .map((parts) => parts.join(''));
  const gap = fc.constantFrom('', '', '', ' ', '-', '.', '\u00a0', ' / ', '\u2212', '\n', ') ');
  fc.assert(
    fc.property(
      value,
      fc.array(gap, { minLength: 17 }),
      fc.string(),
      fc.string(),
      (core, gaps, before, after) => {
        const typed = Array.from(
          core,
          (unit, index) => `${index === 0 ? '' : gaps[index - 1]}${unit.toUpperCase()}`,
        );
        const remove = valueRemover([core, 'ab', '12', 'removed']);
        const once = remove(`${before}${typed.join('')}${after}`);
        expect(once.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()).not.toContain(core);
        expect(once).toContain('[removed]');
        expect(remove(once)).toBe(once);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a value that is the word "removed" is removed once', () => {
  const remove = valueRemover(['Removed!']);
  expect(remove('It was removed. [removed]')).toBe('It was [removed]. [removed]');
  expect(remove('[Removed]')).toBe('[[removed]]');
});

test('removing takes linear time, also for values that nearly match everywhere', () => {
  const remove = valueRemover([`${'1'.repeat(200_000)}2${'1'.repeat(200_000)}`]);
  const text = '1'.repeat(1_000_000);
  expect(completes(() => remove(text)) === text).toBe(true);
  expect(completes(() => valueRemover(['123456'])('123456 '.repeat(150_000)))).toHaveLength(150_000 * 10);
});
