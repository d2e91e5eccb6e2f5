import { expect, test } from 'vitest';
import { draft, samples, valid } from '../../tests/definitions.ts';
import { planOf } from '../plan/plan.ts';
import { teaser } from './teaser.ts';

const customer = { id: 'c-1', firstName: 'Mia', lastName: 'Lindqvist', email: 'mia@example.com' };
const end = { id: 'end', kind: 'end', text: 'Bye' };
const say = (text: unknown, more: object = {}) => ({ id: 'say', kind: 'say', text, ...more });
const ask = (text: string) => ({ id: 'ask', kind: 'ask', text, input: { type: 'text' } });
const model = (mode: object) => ({
  id: 'model',
  kind: 'llm',
  prompt: 'Greet as in {{context.x}}.',
  onError: { goto: 'sorry' },
  ...mode,
});
const declared = { context: [{ name: 'x' }] };
const sorry = { id: 'sorry', kind: 'end', text: 'Sorry, our assistant is not available right now.' };

test('the teaser is the bot’s first text, on one short line', () => {
  const [nps] = samples;
  if (nps === undefined) throw new Error('there is a sample');
  expect(teaser(nps, { customer, context: {} })).toMatch(/^Hi Mia! .*our service\.$/);
  const wordy = valid(draft([{ id: 'a', kind: 'say', text: `Hello\n\nyou ${'x'.repeat(200)}` }, end]));
  expect(teaser(wordy, { customer, context: {} })).toMatch(/^Hello you x+…$/);
  expect(teaser(wordy, { customer, context: {} })).toHaveLength(160);
  expect(teaser(valid(draft([{ id: 'a', kind: 'end' }])), { customer, context: {} })).toBe('Test');
});

test('the teaser is in the requested language', () => {
  const definition = valid(draft([say({ en: 'Hello', de: 'Hallo' }), end]));
  expect(teaser(definition, { customer, context: {}, locale: 'de-AT' })).toBe('Hallo');
  expect(teaser(definition, { customer, context: {} })).toBe('Hello');
});

test.each([
  ['chats', { mode: 'chat' }],
  ['sorts', { mode: 'classify', labels: ['a', 'b'], saveAs: 'sort' }],
])('a bot that %s at first has its name as teaser, and without a model its first text', (_name, mode) => {
  const definition = valid(draft([model(mode), end, sorry], declared));
  expect(teaser(definition, { customer, context: {}, hasModel: true })).toBe('Test');
  expect(teaser(definition, { customer, context: {} })).toBe(sorry.text);
});

test.each<[needed: boolean, name: string, steps: unknown[]]>([
  [true, 'the first words name it', [say('Hi {{customer.firstName|there}}!'), end]],
  [true, 'a language of them names it', [say({ en: 'Hi!', de: 'Hallo {{customer.firstName}}!' }), end]],
  [true, 'the first question does', [ask('{{customer.firstName}}, how are you?'), end]],
  [true, 'its condition does', [say('Hi!', { when: 'customer.firstName == "Ada"' }), end]],
  [
    true,
    'words before it may be left out',
    [say('Hi!', { when: '1 > 2' }), ask('{{customer.firstName}}?'), end],
  ],
  [true, 'words before it may be blank', [say('{{context.x}}'), ask('{{customer.firstName}}?'), end]],
  [
    true,
    'a branch on it comes first',
    [
      { id: 'by', kind: 'branch', next: [{ if: 'customer.email != ""', goto: 'say' }, { else: 'end' }] },
      say('Hi!'),
      end,
    ],
  ],
  [
    true,
    'what follows a failing model names it',
    [model({ mode: 'chat' }), end, { ...sorry, text: '{{customer.id}}' }],
  ],
  [false, 'only what is said later names it', [say('Hi!'), ask('{{customer.firstName}}?'), end]],
  [
    false,
    'only what is said after a question does',
    [ask('How are you?'), say('Thanks, {{customer.firstName}}'), end],
  ],
])('the customer is needed for it: %s when %s', (needed, _name, steps) => {
  const definition = valid(draft(steps, declared));
  expect(planOf(definition).teaserNamesCustomer).toBe(needed);
});
