import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { draft, valid } from '../../tests/definitions.ts';
import {
  redactedContext,
  redactedEntries,
  redactedEvaluation,
  redactedState,
  removerAtOnce,
  valueRemoverAtOnce,
} from '../../tests/redact.ts';
import type { Entry } from '../plan/conversation.ts';
import { answer, beginConversation } from '../engine/engine.ts';
import { valueRemover } from './remove-values.ts';

const choices = [
  { value: 'd', label: { en: 'Diabetes', de: 'Zuckerkrankheit' } },
  { value: 'a', label: 'Hay fever' },
];
const bot = valid(
  draft(
    [
      { id: 'phone', kind: 'ask', text: 'Phone?', input: { type: 'phone' }, pii: true },
      { id: 'born', kind: 'ask', text: 'Born on?', input: { type: 'date' }, pii: true },
      { id: 'profile', kind: 'ask', text: 'Profile?', input: { type: 'url' }, pii: true },
      { id: 'call', kind: 'ask', text: 'When?', input: { type: 'time' }, pii: true },
      { id: 'wage', kind: 'ask', text: 'Wage?', input: { type: 'number' }, pii: true },
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
  let turn = beginConversation(bot, { customer, context: values, now: 1 });
  const entries: Entry[] = [...turn.entries];
  for (const [stepId, given] of [
    ['phone', { text: '+49 (0)30 1234567' }],
    ['born', { text: '1985/3/7' }],
    ['profile', { text: 'www.linkedin.com/in/mia-müller' }],
    ['call', { text: '9:30 pm' }],
    ['wage', { text: '12,50' }],
    ['salary', { value: 42_000 }],
    ['ill', { value: ['d', 'a'] }],
    ['smokes', { value: true }],
    ['more', { value: more }],
  ] as const) {
    const next = answer(bot, turn.state, { stepId, answer: given, now: 1 });
    if ('rejected' in next) throw new Error(next.rejected.detail);
    turn = next;
    entries.push(...turn.entries);
  }
  const remove = removerAtOnce(bot, { state: turn.state, context }, Object.values(customer).slice(1));
  return {
    said: redactedEntries(entries, remove)
      .slice(-2)
      .map(({ body }) => body),
    bodies: redactedEntries(entries, remove).map(({ body }) => body),
    evaluation: redactedEvaluation(bot, turn.evaluation, remove),
    state: redactedState(bot, turn.state, remove),
    context: redactedContext(bot, context, remove),
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
    ['+49 (0)30 1234567', '[removed]'],
    ['see www.linkedin.com/in/mia-müller.', 'see [removed].'],
    ['LinkedIn.com/in/mia-m%C3%BCller', '[removed]'],
    ['https://www.linkedin.com/in/mia-mu\u0308ller/', 'https://[removed]/'],
    [
      'at 9:30 pm, 9.30 p.m., 21:30, 21h30 or 9:30',
      'at [removed], [removed]., [removed], [removed] or [removed]',
    ],
    ['12,50 or 12.5 an hour', '[removed] or [removed] an hour'],
    ['DIABETES and hay-fever, Zuckerkrankheit', '[removed] and [removed], [removed]'],
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

test.each([
  ['+49 (0)30 1234567', 'call 030 1234567', 'call 0[removed]'],
  ['1985/3/7', 'born 7.3.1985', 'born [removed]'],
  ['9:30 pm', 'at 21:30', 'at [removed]'],
  ['www.linkedin.com/in/mia', 'see linkedin.com/in/mia', 'see [removed]'],
])('personal context %s is removed in its other forms: %s', (value, text, rest) => {
  const supplied = [{ key: 'street', value }];
  expect(removerAtOnce(bot, { state: null, context: supplied }, [])(text)).toBe(rest);
});

test('personal context of an interaction that has not started is removed', () => {
  const remove = removerAtOnce(bot, { state: null, context }, []);
  expect(redactedContext(bot, context, remove).map(({ value }) => value)).toEqual([
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
        const remove = valueRemoverAtOnce([core, 'ab', '12', 'removed']);
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
  const remove = valueRemoverAtOnce(['Removed!']);
  expect(remove('It was removed. [removed]')).toBe('It was [removed]. [removed]');
  expect(remove('[Removed]')).toBe('[[removed]]');
});

test('an answer typed in any form that its type accepts is removed where it is typed in that form again', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
  const hour = fc.integer({ min: 0, max: 23 });
  const minute = fc.integer({ min: 0, max: 59 }).map((one) => String(one).padStart(2, '0'));
  const mark = fc.constantFrom(':', '.', ' : ', 'h');
  const time = fc.oneof(
    fc.tuple(hour, mark, minute, fc.constant('')),
    fc.tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(':', '.'),
      minute,
      fc.constantFrom('am', ' p.m.', ' PM'),
    ),
  );
  const path = fc.stringMatching(/^[a-z]{1,8}(\/[a-zà-ö0-9-]{0,7}[a-zà-ö0-9]){0,2}$/);
  const typed = fc.oneof(
    fc.tuple(
      fc.constant('time' as const),
      time.map((parts) => parts.join('')),
    ),
    fc.tuple(
      fc.constant('url' as const),
      fc
        .tuple(
          fc.constantFrom('', 'http://', 'HTTPS://'),
          fc.constantFrom('', 'www.'),
          fc.constantFrom('müller.de', 'x.io', 'a-b.example.com:8080'),
          path,
        )
        .map(([scheme, www, host, rest]) => `${scheme}${www}${host}/${rest}`),
    ),
    fc.tuple(
      fc.constant('phone' as const),
      fc
        .tuple(fc.constantFrom('+49 (0)', '0049 ', '0'), digits(3), digits(5))
        .map(([code, ...rest]) => code + rest.join('-')),
    ),
    fc.tuple(
      fc.constant('date' as const),
      fc
        .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
        .map((day) => [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()].join('/')),
    ),
  );
  fc.assert(
    fc.property(typed, ([type, text]) => {
      const single = valid(
        draft([
          { id: 'one', kind: 'ask', text: '?', input: { type }, pii: true },
          { id: 'end', kind: 'end' },
        ]),
      );
      const begun = beginConversation(single, { customer, context: {}, now: 1 });
      const turn = answer(single, begun.state, { stepId: 'one', answer: { text }, now: 1 });
      if ('rejected' in turn) throw new Error(`${text}: ${turn.rejected.detail}`);
      const removeAll = removerAtOnce(single, { state: turn.state, context: [] }, []);
      expect(removeAll(`I said ${text}, yes`)).toMatch(
        /^I said (https?:\/\/(www\.)?|00?)?\[removed\]\.?, yes$/i,
      );
    }),
    { numRuns: 1_000 },
  );
});

test('a bot with thousands of values costs one pass through each text, and few values a slice', () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `value ${index}x`);
  const slices = valueRemover(values);
  let count = 0;
  let made = slices.next();
  for (; made.done !== true; made = slices.next()) count += 1;
  expect(count).toBeGreaterThan(values.length);
  const removeAll = made.value;
  const text = 'value 19999x and valu '.repeat(20_000);
  const rest = completes(() => removeAll(text));
  expect(rest === '[removed] and valu '.repeat(20_000)).toBe(true);
});

test('removing takes linear time, also for values that nearly match everywhere', () => {
  const remove = valueRemoverAtOnce([`${'1'.repeat(200_000)}2${'1'.repeat(200_000)}`]);
  const text = '1'.repeat(1_000_000);
  expect(completes(() => remove(text)) === text).toBe(true);
  expect(completes(() => valueRemoverAtOnce(['123456'])('123456 '.repeat(150_000)))).toHaveLength(
    150_000 * 10,
  );
});

describe('the details of the customer', () => {
  const details = ['Anne-Marie', "O'Brien", 'am.b@example.com'];
  test.each([
    'Anne\u2011Marie O\u2019Brien',
    'ANNE MARIE, O BRIEN',
    'Ａｎｎｅ－Ｍａｒｉｅ',
    'Anne\u00adMarie',
    'a\u200bnne-marie',
    'annemarieobrien',
    'OBrienAnneMarie',
    'anne-marie99',
    'am.b＠example.com',
    'am.b @ example.com',
    'am.b%40example.com',
    'am.b at example.com',
  ])('are removed from %j', (text) => {
    const remove = removerAtOnce(bot, { state: null, context: [] }, details);
    expect(remove(`I am ${text}!`).replaceAll(/\[removed\]|[ ,\d]/g, '')).toBe('Iam!');
  });
});
