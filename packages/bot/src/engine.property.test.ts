import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draft, samples, valid } from '../tests/definitions.ts';
import { order } from '../tests/order.ts';
import { redactedEntries, redactedEvaluation, redactedState, removerAtOnce } from '../tests/redact.ts';
import type { BotDefinition } from './definition.ts';
import {
  type Answer,
  answer,
  answerModel,
  currentInput,
  type Entry,
  type ModelOutcome,
  start,
  type Turn,
} from './engine.ts';
import type { Input } from './input.ts';
import { modelQuestion } from './model-question.ts';

const now = 1_767_225_600;
const customer = { id: 'c-1', firstName: 'Zaphod', lastName: 'Beeblebrox', email: 'zaphod@example.org' };
const details = ['Zaphod', 'Beeblebrox', 'zaphod@example.org'];

/** One attempt to answer: a random index selects among valid and invalid answers to the question. */
type Try = { pick: number; word: string };
const tries = fc.array(
  fc.record({
    pick: fc.nat(11),
    word: fc.oneof(fc.constantFrom(...details, 'yes', '7', '\ud83da\0'), fc.string()),
  }),
  {
    maxLength: 40,
  },
);

/** The result of asking the model: an answer in one of its forms, any value, or a failure. */
const outcomes = fc.array(
  fc.oneof(
    fc
      .oneof(
        fc.record({ label: fc.constantFrom('food', 'other', 'a', 'b', 'price', '__proto__') }),
        fc.record({ count: fc.oneof(fc.integer(), fc.constant(null)), size: fc.string(), day: fc.string() }),
        fc.record({
          summary: fc.oneof(
            fc.constantFrom('Zaphod wants it.', 'a\udc00\0'),
            fc.string({ unit: 'grapheme' }),
          ),
        }),
        fc.record({ reply: fc.oneof(fc.constant('And Zaphod?'), fc.string()), done: fc.boolean() }),
        fc.jsonValue(),
      )
      .map((said): ModelOutcome => ({ text: JSON.stringify(said) })),
    fc.string().map((text): ModelOutcome => ({ text })),
    fc.constant<ModelOutcome>({ failed: true }),
  ),
  { maxLength: 60 },
);
/** Undefined without a model. */
const models = fc.option(outcomes, { nil: undefined });

function answerTo(input: Input, { pick, word }: Try): Answer {
  if (pick === 0) return { skip: true };
  if (pick === 1) return { text: word };
  if (pick === 2) return { value: word };
  if (pick === 3) return { value: pick };
  const [min, max] = [Number(input.min ?? 0), Number(input.max ?? 10)];
  switch (input.type) {
    case 'choice':
      return { value: input.choices?.[pick % (input.choices.length || 1)]?.value };
    case 'multiChoice':
      return { value: input.choices?.slice(0, 1 + (pick % 4)).map(({ value }) => value) };
    case 'yesNo':
      return { value: pick % 2 === 0 };
    case 'nps':
    case 'rating':
    case 'number':
      return { value: Math.min(max, min + pick) };
    case 'date':
      return { value: `2099-01-${10 + pick}` };
    case 'time':
      return { text: `${pick}:30` };
    case 'email':
      return { text: 'zaphod@example.org' };
    case 'phone':
      return { text: `+46 8 123 456 ${pick}` };
    case 'url':
      return { text: `example.com/${pick}` };
    default:
      return { text: `${word} Zaphod ${pick}`.slice(0, input.maxLength) };
  }
}

/** Plays the attempts and checks every turn against the promises of the engine. */
function play(
  definition: BotDefinition,
  script: Try[],
  model?: ModelOutcome[],
): { turn: Turn; entries: Entry[] } {
  const hasModel = model !== undefined;
  const left = [...(model ?? [])];
  const entries: Entry[] = [];
  /**
   * Continues until the conversation waits for the customer or ends, which it does whatever the model
   * answers.
   */
  const settle = (next: Turn): Turn => {
    entries.push(...next.entries);
    expectSound(definition, next, entries);
    if (next.state.awaiting === undefined) return next;
    expect(hasModel).toBe(true);
    expect(modelQuestion(definition, next.state, entries)?.messages.length).toBeGreaterThan(1);
    const outcome: ModelOutcome = left.shift() ?? { failed: true };
    const event = { outcome, now };
    const before = JSON.stringify(next);
    const answered = answerModel(definition, next.state, event);
    expect(JSON.stringify(next)).toBe(before);
    expect(answerModel(definition, JSON.parse(JSON.stringify(next.state)), event)).toEqual(answered);
    if ('rejected' in answered) return settle({ ...next, entries: [] });
    expect(answered.progress).toBeGreaterThanOrEqual(next.progress);
    return settle(answered);
  };
  let turn = settle(start(definition, { customer, context: {}, now, hasModel }));
  for (const one of script) {
    if (turn.input === null) break;
    const event = { stepId: turn.input.stepId, answer: answerTo(turn.input, one), now, hasModel };
    const before = JSON.stringify(turn);
    const outcome = answer(definition, turn.state, event);
    expect(JSON.stringify(turn)).toBe(before);
    expect(answer(definition, JSON.parse(JSON.stringify(turn.state)), event)).toEqual(outcome);
    if ('rejected' in outcome) continue;
    expect(outcome.entries[0]?.type).toBe('customer');
    expect(outcome.progress).toBeGreaterThanOrEqual(turn.progress);
    turn = settle(outcome);
  }
  return { turn, entries };
}

function expectSound(definition: BotDefinition, turn: Turn, entries: Entry[]): void {
  // It waits for the customer or the model, or it has ended: exactly one of these.
  const { awaiting, modelTurns = 0 } = turn.state;
  expect([turn.ended, turn.input !== null, awaiting !== undefined].filter(Boolean)).toHaveLength(1);
  expect(modelTurns).toBeLessThanOrEqual(20);
  expect(turn.input).toEqual(currentInput(definition, turn.state, now));
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(turn.state.seq).toBe(entries.length);
  entries.forEach(({ body, timestamp, personal }, index) => {
    expect(timestamp).toBeGreaterThan(entries[index - 1]?.timestamp ?? 0);
    expect(body.length).toBeLessThanOrEqual(4000);
    for (const [from, to] of personal ?? []) expect(body.slice(from, to)).toHaveLength(to - from);
  });
  for (const key of Object.keys(turn.evaluation)) expect(definition.evaluation).toHaveProperty(key);
  // In the form of jsonb. A typed backslash is written as two and begins no escape.
  const written = JSON.stringify([turn.state, entries, turn.evaluation]).replaceAll('\\\\', '');
  expect(written).not.toMatch(/\\ud[89a-f]|\\u0000/);
  expect(turn.progress).toBeGreaterThanOrEqual(0);
  expect(turn.progress).toBeLessThanOrEqual(1);
}

const inputs = fc.constantFrom<Record<string, unknown>>(
  { type: 'text' },
  { type: 'longText', minLength: 3 },
  { type: 'nps' },
  { type: 'rating' },
  { type: 'number' },
  { type: 'yesNo' },
  { type: 'date' },
  { type: 'time' },
  { type: 'email' },
  { type: 'phone' },
  { type: 'url' },
  {
    type: 'choice',
    choices: [
      { value: 'a', label: 'A, b' },
      { value: 'b', label: 'B' },
    ],
  },
  {
    type: 'multiChoice',
    choices: [
      { value: 'a', label: 'A, b' },
      { value: 'b', label: 'B' },
    ],
  },
);

/** Small bots: questions and remarks in a row, with jumps anywhere after a question and forward elsewhere. */
const definitions = fc
  .array(
    fc.record({
      kind: fc.constantFrom('ask', 'say', 'set', 'branch', 'classify', 'extract', 'summarise', 'chat'),
      input: inputs,
      flag: fc.boolean(),
      jump: fc.nat(6),
      when: fc.constantFrom(undefined, 'true', 'has(answers.s0)', 'size(customer.firstName) > 20'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((plans) => {
    const steps = plans.map(({ kind, input, flag, jump, when }, index) => {
      const forward = `s${Math.min(index + 1 + jump, plans.length)}`;
      const arms = (goto: string) => [{ if: 'size(customer.id) > 5', goto }, { else: `s${index + 1}` }];
      const base = { id: `s${index}`, kind, ...(when && { when }) };
      if (kind === 'say') return { ...base, text: 'Hello {{customer.firstName}} {{answers.s0|}}' };
      if (kind === 'set') return { ...base, evaluation: { known: 'has(answers.s0)' } };
      if (kind === 'branch') return { ...base, next: arms(forward) };
      if (kind !== 'ask') {
        return {
          ...base,
          kind: 'llm',
          mode: kind,
          prompt: `Look at {{answers.s0|nothing}}${flag ? ' of {{customer.firstName}}' : ''}`,
          saveAs: `saved${index}`,
          ...(kind === 'classify' && { labels: ['a', 'b'], evaluation: `key${index}` }),
          ...(kind === 'extract' && {
            fields: { count: { input: { type: 'number' } }, size: { input: { type: 'text' } } },
            evaluation: { [`key${index}`]: 'size' },
          }),
          onError: { goto: forward },
        };
      }
      return {
        ...base,
        text: 'What, {{customer.lastName}}?',
        input,
        required: flag,
        pii: !flag,
        evaluation: `key${index}`,
        ...(flag && { retry: { text: 'Again, {{customer.firstName}}?', max: 1 + jump, goto: forward } }),
        next: when === undefined && flag ? arms(`s${jump % (plans.length + 1)}`) : arms(forward),
      };
    });
    const keys = Object.fromEntries([...plans.map((_, index) => [`key${index}`, {}]), ['known', {}]]);
    const first =
      plans[0]?.kind === 'ask'
        ? steps
        : [{ id: 's0', kind: 'ask', text: '?', input: { type: 'text' } }, ...steps.slice(1)];
    return valid(
      draft([...first, { id: `s${plans.length}`, kind: 'end', text: 'Bye' }], { evaluation: keys }),
    );
  });

describe('for any answers, the conversation waits or ends, and keeps its promises', () => {
  test.each([...samples, order].map((definition) => ({ definition, key: definition.key })))(
    '$key',
    ({ definition }) => {
      fc.assert(
        fc.property(tries, models, (script, model) => void play(definition, script, model)),
        { numRuns: 60 },
      );
    },
  );

  test('small bots of any structure', () => {
    fc.assert(
      fc.property(
        definitions,
        tries,
        models,
        (definition, script, model) => void play(definition, script, model),
      ),
      { numRuns: 150 },
    );
  });
});

test('a redacted conversation contains no detail, and redacting is idempotent', () => {
  const redact = (definition: BotDefinition, { turn, entries }: ReturnType<typeof play>) => {
    const remove = removerAtOnce(definition, { state: turn.state, context: [] }, details);
    return {
      entries: redactedEntries(entries, remove),
      state: redactedState(definition, turn.state, remove),
      evaluation: redactedEvaluation(definition, turn.evaluation, remove),
    };
  };
  fc.assert(
    fc.property(
      fc.oneof(definitions, fc.constantFrom(...samples, order)),
      tries,
      models,
      (definition, script, model) => {
        const conversation = play(definition, script, model);
        const once = redact(definition, conversation);
        const kept = JSON.stringify(once).toLowerCase();
        // The whole word only: a customer may have typed more letters around it.
        for (const word of ['zaphod', 'beeblebrox']) {
          expect(kept).not.toMatch(
            new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_\\\\])${word}(?![\\p{L}\\p{N}\\p{M}_])`, 'u'),
          );
        }
        const twice = redact(definition, {
          turn: { ...conversation.turn, state: once.state, evaluation: once.evaluation },
          entries: once.entries,
        });
        expect(twice).toEqual(once);
      },
    ),
    { numRuns: 150 },
  );
});
