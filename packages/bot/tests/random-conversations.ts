import fc from 'fast-check';
import type { Answer, ModelOutcome } from '../src/engine/engine.ts';
import type { Input } from '../src/questions/types.ts';
import { draft, valid } from './definitions.ts';
import { sampleQuestions } from './sample-questions.ts';

// Random bots, and random answers of customers and models.

export const now = 1_767_225_600;
export const customer = {
  id: 'c-1',
  firstName: 'Zaphod',
  lastName: 'Beeblebrox',
  email: 'zaphod@example.org',
};
export const details = ['Zaphod', 'Beeblebrox', 'zaphod@example.org'];

/** One attempt to answer: a random index selects among valid and invalid answers to the question. */
export type Try = { pick: number; word: string };
export const tries = fc.array(
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
export const models = fc.option(outcomes, { nil: undefined });

export function answerTo(input: Input, { pick, word }: Try): Answer {
  if (pick === 0) return { skip: true };
  if (pick === 1) return { text: word };
  if (pick === 2) return { value: word };
  if (pick === 3) return { value: pick };
  const values = valuesOf(input);
  const value = values[pick % values.length];
  return value === undefined
    ? { text: `${word} Zaphod ${pick}`.slice(0, input.maxLength) }
    : ({ [typeof value === 'string' && pick % 2 === 0 ? 'text' : 'value']: value } as Answer);
}

/** Valid values of a sample question, also those in own words, and choices that stand alone. */
function valuesOf({ type, other }: Pick<Input, 'type' | 'other'>): readonly unknown[] {
  if (other !== undefined && type === 'choice') return sampleQuestions.choiceOrOther.values;
  return (other === undefined ? sampleQuestions[type] : sampleQuestions.severalOrOther).values;
}

const inputs = fc.constantFrom(...Object.values(sampleQuestions).map(({ input }) => input));

/** Small bots: questions and remarks in a row, with jumps anywhere after a question and forward elsewhere. */
export const definitions = fc
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
