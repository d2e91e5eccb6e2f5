import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { celExpressions } from '../expressions/cel.ts';
import type { CelBindings } from '../expressions/cel-types.ts';
import { type BotDefinition, validateDefinition } from '../validation/definition.ts';
import { answer, beginConversation } from '../engine/engine.ts';
import { openConversation, resumeConversation } from '../engine/open-conversation.ts';
import { planOf } from '../plan/plan.ts';
import { finishQuestion, runSteps } from '../engine/run-steps.ts';
import { lengthsIn } from '../expressions/expression-cost.ts';
import { newTurnBudget, turnUnitsMax } from './turn-budget.ts';

const now = 1_767_225_600;
const customer = { id: 'c-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
const sum = (times: number) => Array.from({ length: times }, () => 'answers.a').join('+');

/** A bot that asks for a text, and then tests every condition until one is true. */
function bot(conditions: string[], maxLength = 4000): Record<string, unknown> {
  const branches = Array.from({ length: Math.ceil(conditions.length / 19) }, (_, index) => ({
    id: `b${index}`,
    kind: 'branch',
    next: [
      ...conditions.slice(19 * index, 19 * (index + 1)).map((condition) => ({ if: condition, goto: 'hit' })),
      { else: 19 * (index + 1) < conditions.length ? `b${index + 1}` : 'miss' },
    ],
  }));
  return draft([
    { id: 'a', kind: 'ask', text: '?', input: { type: 'longText', maxLength }, required: false },
    ...branches,
    { id: 'hit', kind: 'end', text: 'Hit' },
    { id: 'miss', kind: 'end', text: 'Miss' },
  ]);
}

/** Returns the units that are left after the turn that takes the text. */
function unitsLeft(definition: BotDefinition, text: string): number {
  const plan = planOf(definition);
  const opened = openConversation(plan, { customer, context: {} }, now, false);
  runSteps(opened, 0);
  const conversation = resumeConversation(plan, opened.state, now, false);
  conversation.state.answers['a'] = text;
  const [step] = definition.steps;
  if (step?.kind !== 'ask') throw new Error('The bot asks first');
  finishQuestion(conversation, step);
  return conversation.budget.unitsLeft;
}

/** 150 searches for a text that almost matches everywhere, in texts of some 60,000 characters. */
const searches = Array.from(
  { length: 150 },
  (_, index) => `(${sum(15)}).indexOf(${sum(14)} + 'b') > ${index}`,
);

const conditions = fc.array(
  fc.oneof(
    fc.nat(20).map((times) => `(${sum(times + 1)}).contains('b' + ${sum(times + 1)})`),
    fc.nat(20).map((times) => `(${sum(times + 1)}).upperAscii() == customer.lastName`),
    fc.nat(20).map((times) => `answers.a in [${sum(times + 1).replaceAll('+', ',')}]`),
    fc.nat(9).map((times) => `size(answers.a${'.trim().lowerAscii()'.repeat(times)}) < 0`),
    fc.nat(9).map((times) => `answers.a == 'x'${" || answers.a.endsWith('y')".repeat(times)}`),
    fc.constant('has(answers.a) && int(answers.a) > 3'),
    fc.constant("(has(answers.a) ? answers.a : 'none').substring(3) == answers['a']"),
  ),
  { minLength: 1, maxLength: 60 },
);

describe('publishing', () => {
  test('a bot whose turn could take too much work is rejected, at the most expensive expression', () => {
    expect(validateDefinition(bot(searches))).toEqual({
      faults: [
        {
          pointer: expect.stringMatching(/^\/steps\/\d\/next\/\d+\/if$/),
          detail: expect.stringContaining('% of the work that is allowed'),
        },
      ],
    });
  });

  test('shorter answers or fewer expressions make it valid', () => {
    expect(validateDefinition(bot(searches, 40))).toHaveProperty('definition');
    expect(validateDefinition(bot(searches.slice(0, 4)))).toHaveProperty('definition');
  });

  test('only expressions that run between two answers add up', () => {
    const heavy = searches.slice(0, 4);
    const ask = { kind: 'ask', text: '?', input: { type: 'longText' } };
    const branch = (id: string, to: string) => ({
      id,
      kind: 'branch',
      next: [...heavy.map((condition) => ({ if: condition, goto: 'end' })), { else: to }],
    });
    const end = { id: 'end', kind: 'end' };
    const apart = [
      { id: 'a', ...ask },
      branch('b', 'c'),
      { id: 'c', ...ask },
      branch('d', 'e'),
      { id: 'e', ...ask },
      branch('f', 'end'),
    ];
    const together = [{ id: 'a', ...ask }, branch('b', 'c'), branch('c', 'd'), branch('d', 'end')];
    expect(validateDefinition(draft([...apart, end]))).toHaveProperty('definition');
    expect(validateDefinition(draft([...together, end]))).toHaveProperty(
      'faults.0.pointer',
      '/steps/3/next/0/if',
    );
  });

  test('hundreds of short conditions fit into one turn', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `answers.a == '${index}'`);
    expect(validateDefinition(bot(many))).toHaveProperty('definition');
  });
});

describe('the turn of a valid bot', () => {
  test('never exceeds its budget, whatever the customer answers', () => {
    fc.assert(
      fc.property(
        conditions,
        fc.constantFrom(1, 500, 4000),
        fc.constantFrom('a', 'ß', 'ΐ', '😀'),
        (all, maxLength, letter) => {
          const outcome = validateDefinition(bot(all, maxLength));
          if ('faults' in outcome) return;
          const text = letter.repeat(maxLength).slice(0, maxLength);
          expect(unitsLeft(outcome.definition, text)).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

// Bots that were published before the budget.
describe('the turn of a bot that publishing would reject', () => {
  const old = bot(searches) as BotDefinition;

  test('evaluates expressions until the budget is used up; the others are false, and the turn ends as usual', () => {
    const { state } = beginConversation(old, { customer, context: {}, now });
    const turn = answer(old, state, { stepId: 'a', answer: { value: 'a'.repeat(4000) }, now });
    expect(turn).toMatchObject({ ended: true, entries: [{ type: 'customer' }, { body: 'Miss' }] });
    expect(unitsLeft(old, 'a'.repeat(4000))).toBeLessThan(0);
  });

  test('is not affected by short answers', () => {
    expect(unitsLeft(old, 'a'.repeat(10))).toBeGreaterThan(0);
  });

  test('keeps no value of an expression beyond the budget', () => {
    const step = { id: 's', kind: 'set', evaluation: { first: 'answers.a', last: "'x'" } };
    const definition = draft(
      [
        { id: 'a', kind: 'ask', text: '?', input: { type: 'longText' } },
        ...Array.from({ length: 90 }, (_, index) => ({
          ...step,
          id: `s${index}`,
          evaluation: Object.fromEntries(Array.from({ length: 40 }, (_key, at) => [`k${at}`, 'answers.a'])),
        })),
        step,
        { id: 'end', kind: 'end' },
      ],
      { evaluation: Object.fromEntries(['first', 'last', 'k0'].map((key) => [key, {}])) },
    ) as BotDefinition;
    const { state } = beginConversation(definition, { customer, context: {}, now });
    const turn = answer(definition, state, { stepId: 'a', answer: { value: 'a'.repeat(4000) }, now });
    expect(turn).toMatchObject({ ended: true, evaluation: {} });
  });

  test('evaluates no more than the budget, in any order of expressions', () => {
    const expressions = celExpressions({
      answers: { a: 'string' },
      context: {},
      customer: { lastName: 'string' },
    });
    fc.assert(
      fc.property(conditions, fc.nat(4000), (all, length) => {
        const bindings: CelBindings = {
          answers: new Map([['a', 'ab'.repeat(length / 2)]]),
          context: new Map(),
          customer: new Map([['lastName', 'Lovelace']]),
        };
        const budget = newTurnBudget();
        let evaluated = 0;
        for (const expression of [...all, ...searches, ...all]) {
          if (expressions.value(expression, bindings, budget) === undefined) continue;
          evaluated += expressions.units(expression, lengthsIn(bindings));
        }
        expect(evaluated).toBeLessThanOrEqual(turnUnitsMax);
      }),
      { numRuns: 20 },
    );
  });
});

test('texts with many references to one long answer are filled in up to their end', () => {
  const definition = valid(
    draft([
      { id: 'a', kind: 'ask', text: '?', input: { type: 'longText' } },
      { id: 'end', kind: 'end', text: '{{answers.a}}'.repeat(300) },
    ]),
  );
  const { state } = beginConversation(definition, { customer, context: {}, now });
  const turn = answer(definition, state, { stepId: 'a', answer: { value: 'ab'.repeat(1_900) }, now });
  if ('rejected' in turn) throw new Error(turn.rejected.detail);
  expect(turn.entries.at(-1)?.body).toBe(`${'ab'.repeat(3_800).slice(0, 3_999)}…`);
});
