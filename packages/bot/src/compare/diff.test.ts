import { describe, expect, test } from 'vitest';
import { diffBots } from './diff.ts';

const choices = (...values: string[]) => values.map((value) => ({ value, label: value.toUpperCase() }));
const size = {
  id: 'size',
  kind: 'ask',
  text: 'Which size?',
  input: { type: 'choice', choices: choices('s', 'l') },
  next: [{ if: "answers.size == 'l'", goto: 'large' }, { else: 'bye' }],
};
const large = { id: 'large', kind: 'say', text: 'Large!' };
const bye = { id: 'bye', kind: 'end', text: 'Bye' };
const bot = { schemaVersion: 1, key: 'cups', name: 'Cups', type: 'Feedback', steps: [size, large, bye] };
const botWith = (...steps: object[]) => ({ ...bot, steps });
const none = { bot: [], steps: [], isReordered: false, conditions: [] };

test('equal definitions have no differences, whatever the order of their members and their schema', () => {
  const { steps, ...rest } = bot;
  expect(diffBots(bot, { $schema: 'https://parley.example/bot.json', steps, ...rest })).toEqual(none);
});

test('a changed text is shown with its step, before and after', () => {
  const values = [{ path: 'text', before: 'Bye', after: 'See you' }];
  expect(diffBots(bot, botWith(size, large, { ...bye, text: 'See you' }))).toEqual({
    ...none,
    steps: [{ id: 'bye', change: 'changed', values }],
  });
});

test('a member that is new or gone has only the side on which it exists', () => {
  expect(diffBots(bot, { ...bot, locale: 'de' }).bot).toEqual([{ path: 'locale', after: 'de' }]);
  expect(diffBots({ ...bot, locale: 'de' }, bot).bot).toEqual([{ path: 'locale', before: 'de' }]);
});

test('steps that are new, gone or moved are named as such', () => {
  const thanks = { id: 'thanks', kind: 'say', text: 'Thanks' };
  const diff = diffBots(bot, botWith(size, thanks, bye));
  expect(diff.steps.map(({ id, change }) => [id, change])).toEqual([
    ['thanks', 'added'],
    ['large', 'removed'],
  ]);
  expect(diff.isReordered).toBe(false);
  expect(diffBots(bot, botWith(size, bye, large))).toMatchObject({
    steps: [
      { id: 'bye', change: 'moved', values: [], places: [3, 2] },
      { id: 'large', change: 'moved', values: [], places: [2, 3] },
    ],
    isReordered: true,
  });
});

describe('conditions that no longer hold:', () => {
  test.each([
    ['==', "answers.size == 'l'"],
    ['!=', 'answers.size != "l"'],
  ])('a comparison (%s) with a choice that is gone', (_operator, condition) => {
    const next = [{ if: condition, goto: 'large' }, { else: 'bye' }];
    const before = botWith({ ...size, next }, large, bye);
    const after = botWith(
      { ...size, next, input: { type: 'choice', choices: choices('s', 'm') } },
      large,
      bye,
    );
    const detail = '"l" is no longer a value of answers.size';
    expect(diffBots(before, after).conditions).toEqual([{ pointer: '/steps/0/next/0/if', detail }]);
  });

  test('a search in a list of choices for one that is gone', () => {
    const extras = (...values: string[]) => ({
      id: 'extras',
      kind: 'ask',
      text: 'What else?',
      input: { type: 'multiChoice', choices: choices(...values) },
    });
    const conditionalBye = { ...bye, when: "'ice' in answers.extras" };
    const { conditions } = diffBots(
      botWith(extras('ice', 'milk'), conditionalBye),
      botWith(extras('milk', 'tea'), conditionalBye),
    );
    expect(conditions.map(({ pointer }) => pointer)).toContain('/steps/1/when');
  });

  test('one whose step is gone', () => {
    const { conditions } = diffBots(
      botWith(size, { ...large, when: "answers.size == 'l'" }, bye),
      botWith({ ...large, when: "answers.size == 'l'" }, bye),
    );
    expect(conditions).toMatchObject([{ pointer: '/steps/0/when' }]);
    expect(conditions[0]?.detail).toContain('"size" is not declared');
  });

  test('no others: not one that both have, or whose choice has another label', () => {
    const relabelled = {
      type: 'choice',
      choices: choices('s', 'l').map((one) => ({ ...one, label: `${one.label}!` })),
    };
    expect(diffBots(bot, botWith({ ...size, input: relabelled }, large, bye)).conditions).toEqual([]);
  });
});

test.each([undefined, null, [], 'text', { steps: 7 }, { steps: [null, 3] }])(
  'a definition with faults, such as %j, is compared as far as it goes',
  (after) => {
    expect(diffBots(bot, after).steps.filter(({ change }) => change === 'removed')).toHaveLength(3);
  },
);
