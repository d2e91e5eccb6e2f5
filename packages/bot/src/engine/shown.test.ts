import fc from 'fast-check';
import { expect, test } from 'vitest';
import { customer, now } from '../../tests/random-conversations.ts';
import { valid } from '../../tests/definitions.ts';
import { redactedState, removerAtOnce } from '../../tests/redact.ts';
import { factsOf } from '../figures/facts.ts';
import { replay } from '../replay/replay.ts';
import { interactionData } from './data.ts';
import { answer, currentInput, beginConversation, type Turn } from './engine.ts';

const values = ['a', 'b', 'c', 'd', 'e', 'f'];
const choices = values.map((value) => ({ value, label: value.toUpperCase() }));
const none = { value: 'none', label: 'None', exclusive: true };

const bot = valid({
  schemaVersion: 1,
  key: 'shown',
  name: 'Shown',
  type: 'Shown',
  evaluation: { best: {}, liked: {}, from: {}, rates: {}, terms: {}, own: {}, kind: {} },
  steps: [
    {
      id: 'rank',
      kind: 'ask',
      text: 'Rank',
      input: { type: 'ranking', choices, order: 'random' },
      evaluation: 'best',
    },
    {
      id: 'like',
      kind: 'ask',
      text: 'Like?',
      input: { type: 'multiChoice', choices: [none, ...choices], order: 'random', other: { label: 'Else' } },
      evaluation: 'liked',
    },
    {
      id: 'from',
      kind: 'ask',
      text: 'From?',
      input: { type: 'choice', choices, other: { label: 'Else' } },
      evaluation: 'from',
    },
    {
      id: 'kind',
      kind: 'set',
      evaluation: {
        own: 'others.from + (answers.from == "other" ? "!" : "") + (others.like)',
        kind: 'answers.rank[0] + ("other" in answers.like ? "+" : "-")',
      },
    },
    {
      id: 'rate',
      kind: 'ask',
      text: 'Rate',
      input: { type: 'matrix', rows: choices, columns: choices.slice(0, 2), order: 'random' },
      evaluation: 'rates',
      next: [{ if: 'answers.rate.a == "b" && answers.rate["b"] == "a"', goto: 'terms' }, { else: 'bye' }],
    },
    {
      id: 'terms',
      kind: 'ask',
      text: 'Terms?',
      input: { type: 'consent', label: { en: 'I agree', de: 'Ich stimme zu' } },
      evaluation: 'terms',
    },
    { id: 'bye', kind: 'end', text: '{{answers.terms}}, {{answers.from}}' },
  ],
});

const rates = { a: 'b', b: 'a', c: 'a', d: 'a', e: 'b', f: 'b' };
const given: [stepId: string, value: unknown][] = [
  ['rank', ['b', 'a', 'c', 'd', 'e', 'f']],
  ['like', ['f', 'a', { other: 'b,c of Zaphod' }]],
  ['from', { other: 'a friend' }],
  ['rate', rates],
  ['terms', true],
];

function begin(seed: string): Turn {
  return beginConversation(bot, { customer, context: {}, locale: 'de', seed, now });
}

function hold(seed: string): Turn[] {
  const turns = [begin(seed)];
  for (const [stepId, value] of given) {
    const before = turns.at(-1)?.state;
    if (before === undefined) throw new Error('there is a start');
    const next = answer(bot, before, { stepId, answer: { value }, now });
    if ('rejected' in next) throw new Error(`${stepId}: ${next.rejected.detail}`);
    turns.push(next);
  }
  return turns;
}

const valuesOf = (list: { value: string }[] = []) => list.map(({ value }) => value);

test('a random order is one of all, with exclusive ones last, and the same each time', () => {
  const orders = new Set<string>();
  fc.assert(
    fc.property(fc.uuid(), (seed) => {
      const turns = hold(seed);
      const [rank, like, , rate] = turns;
      const order = valuesOf(rank?.input?.choices);
      orders.add(order.join());
      expect(order.toSorted()).toEqual(values);
      expect(valuesOf(like?.input?.choices).at(-1)).toBe('none');
      expect(valuesOf(rate?.input?.rows).toSorted()).toEqual(values);
      expect(valuesOf(rate?.input?.columns)).toEqual(['a', 'b']);
      // A tab that opens later, from the stored state.
      const stored = JSON.parse(JSON.stringify(rank?.state));
      expect(currentInput(bot, stored)).toEqual(rank?.input);
      // The entry of the answer keeps it.
      const [entry] = turns[1]?.entries ?? [];
      expect(entry?.shown?.order).toEqual(order);
    }),
    { numRuns: 100 },
  );
  expect(orders.size).toBeGreaterThan(50);
});

test('a replay shows the same order', () => {
  const { state } = hold('one').at(-1) ?? begin('one');
  const { heard, stopped } = replay(bot, state);
  expect(stopped).toBeNull();
  const [first] = heard;
  const labels = valuesOf(begin('one').input?.choices).map((value) => value.toUpperCase());
  expect(first?.text).toBe(['Rank', ...labels].join('\n'));
  expect(replay(bot, { ...state, seed: 'two' }).heard).not.toEqual(heard);
});

test('what free text says of the order is about the order that was shown', () => {
  const { state, input } = begin('one');
  const [best, ...others] = valuesOf(input?.choices);
  const last = others.at(-1);
  const next = answer(bot, state, { stepId: 'rank', answer: { text: `first ${last}` }, now });
  if ('rejected' in next) throw new Error(next.rejected.detail);
  expect(next.state.answers['rank']).toEqual([last, best, ...others.slice(0, -1)]);
});

test('expressions, texts, evaluation and figures have own words where they belong', () => {
  const { state, evaluation, entries } = hold('one').at(-1) ?? begin('one');
  expect(evaluation).toEqual({
    best: 'b, a, c, d, e, f',
    liked: 'a,f,b,c of Zaphod',
    from: 'a friend',
    rates: 'a: b; b: a; c: a; d: a; e: b; f: b',
    terms: 'yes',
    own: 'a friend!b,c of Zaphod',
    kind: 'b+',
  });
  expect(entries.at(-1)?.body).toBe('Ich stimme zu, a friend');
  const facts = factsOf(bot, state, evaluation).evaluation;
  const counted = Object.fromEntries(facts.map(({ key, values: found }) => [key, found]));
  expect(counted).toMatchObject({ liked: ['a', 'f', 'other'], from: ['other'], terms: ['yes'], own: [] });
  expect(counted['best']?.[0]).toBe('1/b');
  expect(counted['rates']?.[0]).toBe('a/b');
});

test('own words lose the details of an erased customer, and no choice is lost', () => {
  const { state } = hold('one').at(-1) ?? begin('one');
  const remove = removerAtOnce(bot, { state, context: [] }, ['Zaphod', '', 'a']);
  const redacted = redactedState(bot, state, remove);
  expect(redacted.answers).toMatchObject({ like: ['a', 'f', { other: 'b,c of [removed]' }], rate: rates });
  expect(redacted.evaluation).toMatchObject({
    liked: '[removed],f,b,c of [removed]',
    best: 'b, a, c, d, e, f',
    rates: state.evaluation['rates'],
  });
  expect(redacted.ownWords).toEqual(state.ownWords);
});

test('the body has what was shown only with the answers of which it is kept', () => {
  const transcript = hold('one').flatMap(({ entries }) => entries);
  const { transcript: told } = JSON.parse(
    interactionData({ customerId: 'c', interactionId: 'i', evaluation: {}, transcript }),
  ) as { transcript: Record<string, unknown>[] };
  expect(told.map((entry) => Object.keys(entry).slice(3))).toEqual([
    [],
    ['order'],
    [],
    ['order'],
    [],
    [],
    [],
    ['order'],
    [],
    ['consent'],
    [],
  ]);
  expect(told[9]?.['consent']).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), locale: 'de' });
});

test('a required consent must be given, and one that is not can be declined', () => {
  const { state } = hold('one').at(-2) ?? begin('one');
  for (const refused of [{ value: false }, { text: 'no' }, { skip: true }] as const) {
    expect(answer(bot, state, { stepId: 'terms', answer: refused, now })).toHaveProperty('rejected');
  }
  const open = valid({
    ...bot,
    steps: bot.steps.map((step) => (step.id === 'terms' ? { ...step, required: false } : step)),
  });
  const declined = answer(open, state, { stepId: 'terms', answer: { text: 'no' }, now });
  expect(declined).toMatchObject({ ended: true, evaluation: { terms: 'no' } });
});

test('a bot without these abilities stores nothing more', () => {
  const plain = valid({
    schemaVersion: 1,
    key: 'plain',
    name: 'Plain',
    type: 'Plain',
    evaluation: { it: {} },
    steps: [
      { id: 'it', kind: 'ask', text: '?', input: { type: 'choice', choices }, evaluation: 'it' },
      { id: 'bye', kind: 'end' },
    ],
  });
  const { state } = beginConversation(plain, { customer, context: {}, seed: 'one', now });
  const next = answer(plain, state, { stepId: 'it', answer: { value: 'a' }, now });
  if ('rejected' in next) throw new Error(next.rejected.detail);
  expect(Object.keys(next.state)).toEqual(Object.keys(state));
  expect(Object.keys(state)).not.toContain('seed');
  expect(Object.keys(next.entries[0] ?? {})).toEqual(['seq', 'type', 'body', 'timestamp']);
});
