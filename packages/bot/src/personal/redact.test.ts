import { noDetails } from '@parley/contracts/customer-details';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { draft, valid } from '../../tests/definitions.ts';
import { answer, beginConversation } from '../engine/engine.ts';
import { redactedEntries, redactedEvaluation, redactedState } from '../../tests/redact.ts';
import { detailRemover } from './remove-details.ts';

const details = ['Mia', 'Lindqvist', 'mia@example.com'];
const removeDetails = detailRemover(details);
const redactText = (text: string, found: readonly string[]) => detailRemover(found)(text);

describe('details in text', () => {
  test.each([
    ['MIA and mia, Mia!', '[removed] and [removed], [removed]!'],
    ['Mia Lindqvist <mia@example.com>', '[removed] [removed] <[removed]>'],
    ['Miami, miami, Maria', '[removed]mi, miami, Maria'],
    ["Mia's", "[removed]'s"],
    ['jamia@example.com', 'ja[removed]'],
    ['[removed] Mia', '[removed] [removed]'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(redactText(text, details)).toBe(expected);
  });

  test('however accents are encoded, and across line ends', () => {
    expect(redactText('Jose\u0301 García', ['Jos\u00e9'])).toBe('[removed] García');
    expect(redactText('Anna\n  Maria', ['anna maria'])).toBe('[removed]');
  });

  test('pattern characters are literal, and one letter is removed only as a word', () => {
    const details = ['a.b', '(c)', 'A', ' ', ''];
    expect(redactText('a.b axb (c) A', details)).toBe('[removed] axb [removed] [removed]');
  });

  test('in scripts without spaces a detail is removed everywhere', () => {
    expect(redactText('我叫李明。', ['李明'])).toBe('我叫[removed]。');
    expect(redactText('我叫李。', ['李'])).toBe('我叫[removed]。');
  });

  test.each([
    ['BoLee Tea', ['Bo', 'Lee'], '[removed][removed] Tea'],
    ['TeaLeeBo and Bobby', ['Bo', 'Lee'], 'Tea[removed][removed] and Bobby'],
    ['-bMia', ['Mia', '-b'], '[removed][removed]'],
    ['aaMiab-MiaA', ['Mia', 'aa', 'b-', 'A'], '[removed][removed][removed][removed][removed]'],
  ])('one pass removes all details: %j with %j', (text, details, expected) => {
    expect(redactText(text, details)).toBe(expected);
    expect(redactText(expected, details)).toBe(expected);
  });

  test('takes linear time, also for details that nearly match everywhere', () => {
    const near = [`${'a '.repeat(200_000)}b`];
    for (const [word, details] of [
      ['a ', near],
      ['a    ', near],
      ['A', [`${'a'.repeat(400_000)}b${'a'.repeat(400_000)}`]],
      ['a b ', ['a', 'b']],
    ] as const) {
      const text = word.repeat(1_000_000 / word.length);
      const redacted = completes(() => redactText(text, details));
      expect(redacted === text).toBe(details.length !== 2);
    }
  });

  test('is idempotent, and removes every detail', () => {
    const word = fc.oneof(
      fc.constantFrom('Mia', 'Mi', 'a-b', '-b', 'aa', '@x', 'removed', 'Åsa', 'Bo', 'Lee', 'b'),
      fc.string({ maxLength: 5 }),
    );
    const text = fc
      .array(fc.oneof(word, fc.constantFrom(' ', '', '-', '[removed]')))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(word, { maxLength: 4 }), (body, words) => {
        const once = redactText(body, words);
        expect(redactText(once, words)).toBe(once);
        const kept = once.split('[removed]');
        // Details of three letters are removed everywhere; shorter ones as a word.
        const isKept = (detail: string): boolean =>
          kept.includes(detail) || (detail.length > 2 && kept.some((part) => part.includes(detail)));
        expect(words.map((detail) => detail.trim()).filter((detail) => detail && isKept(detail))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...details, 'hello', 'x')), (words) => {
        const once = redactText(words.join(' '), details).toLowerCase();
        for (const detail of details) expect(once).not.toContain(detail.toLowerCase());
      }),
      { numRuns: 500 },
    );
  });
});

test('marked spans are removed, overlapping or at the edges, with their marks', () => {
  const entry = { seq: 1, type: 'bot', body: 'Hi Mia, bye Bo', timestamp: 1 };
  expect(
    redactedEntries(
      [
        {
          ...entry,
          personal: [
            [12, 14],
            [3, 6],
          ],
        },
      ],
      detailRemover([]),
    ),
  ).toEqual([{ ...entry, body: 'Hi [removed], bye [removed]' }]);
  expect(
    redactedEntries(
      [
        {
          ...entry,
          personal: [
            [0, 5],
            [3, 14],
          ],
        },
      ],
      detailRemover([]),
    ),
  ).toEqual([{ ...entry, body: '[removed]' }]);
  expect(redactedEntries([entry], detailRemover(['bo']))).toEqual([
    { ...entry, body: 'Hi Mia, bye [removed]' },
  ]);
});

test('a redacted conversation keeps its structure and no personal data', () => {
  const definition = valid(
    draft(
      [
        {
          id: 'mood',
          kind: 'ask',
          text: 'Hi {{customer.firstName}}, how are you at {{context.place}}?',
          input: { type: 'text' },
          evaluation: 'mood',
        },
        {
          id: 'secret',
          kind: 'ask',
          text: 'Tell me more',
          input: { type: 'text' },
          pii: true,
          evaluation: 'secret',
        },
        {
          id: 'age',
          kind: 'ask',
          text: 'You said {{answers.secret}}. Your age?',
          input: { type: 'number' },
          evaluation: 'age',
        },
        { id: 'bye', kind: 'end', text: 'Bye {{customer.lastName}}, {{answers.age}}' },
      ],
      { context: [{ name: 'place' }], evaluation: { mood: {}, secret: {}, age: { pii: true } } },
    ),
  );
  const customer = { id: 'c-1', firstName: 'Mia', lastName: 'Lindqvist', email: 'mia@example.com' };
  let turn = beginConversation(definition, { customer, context: { place: "Mia's house" }, now: 1 });
  const entries = [...turn.entries];
  for (const [stepId, value] of [
    ['mood', 'Mia is well'],
    ['secret', 'I sing'],
    ['age', 41],
  ] as const) {
    const next = answer(definition, turn.state, { stepId, answer: { value }, now: 1 });
    if ('rejected' in next) throw new Error(next.rejected.detail);
    turn = next;
    entries.push(...turn.entries);
  }

  const clean = redactedEntries(entries, removeDetails);
  expect(clean.map(({ body }) => body)).toEqual([
    "Hi [removed], how are you at [removed]'s house?",
    '[removed] is well',
    'Tell me more',
    '[removed]',
    'You said [removed]. Your age?',
    '[removed]',
    'Bye [removed], [removed]',
  ]);
  expect(clean.map(({ seq, timestamp, type }) => ({ seq, timestamp, type }))).toEqual(
    entries.map(({ seq, timestamp, type }) => ({ seq, timestamp, type })),
  );
  expect(redactedEntries(clean, removeDetails)).toEqual(clean);
  const evaluation = { mood: '[removed] is well', secret: '[removed]', age: '[removed]' };
  expect(redactedEvaluation(definition, turn.evaluation, removeDetails)).toEqual(evaluation);
  expect(redactedEvaluation(definition, evaluation, removeDetails)).toEqual(evaluation);
  expect(redactedEvaluation(definition, { mood: 'fine' }, removeDetails)).toEqual({ mood: 'fine' });

  const state = redactedState(definition, turn.state, removeDetails);
  expect(state).toEqual({
    ...turn.state,
    answers: { mood: '[removed] is well' },
    evaluation,
    customer: { id: 'c-1', ...noDetails },
    context: { place: "[removed]'s house" },
  });
  expect(redactedState(definition, state, removeDetails)).toEqual(state);
});

test('a value computed from personal answers is removed; one that they only select stays', () => {
  const definition = valid(
    draft(
      [
        { id: 'phone', kind: 'ask', text: 'Your number?', input: { type: 'text' }, pii: true },
        { id: 'age', kind: 'ask', text: 'Your age?', input: { type: 'number' }, pii: true },
        { id: 'size', kind: 'ask', text: 'Your size?', input: { type: 'text' } },
        {
          id: 'sums',
          kind: 'set',
          evaluation: {
            call: "'call ' + answers.phone",
            whom: 'customer.firstName',
            born: '2026 - answers.age',
            adult: 'answers.age >= 18',
            wants_call: "has(answers.phone) ? 'yes' : 'no'",
            fits: "'size ' + answers.size",
          },
        },
        { id: 'bye', kind: 'end' },
      ],
      { evaluation: { call: {}, whom: {}, born: {}, adult: {}, wants_call: {}, fits: {} } },
    ),
  );
  const evaluation = {
    call: 'call +41 79 000 00 00',
    whom: 'Mia',
    born: '1985',
    adult: 'true',
    wants_call: 'yes',
    fits: 'size 7',
  };
  expect(redactedEvaluation(definition, evaluation, removeDetails)).toEqual({
    call: '[removed]',
    whom: '[removed]',
    born: '[removed]',
    adult: 'true',
    wants_call: 'yes',
    fits: 'size 7',
  });
});
