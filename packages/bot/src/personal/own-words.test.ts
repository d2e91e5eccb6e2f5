import { expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { ownWords } from './own-words.ts';
import { runAtOnce } from '../bounds/slices.ts';

const bot = valid(
  draft(
    [
      {
        id: 'hello',
        kind: 'say',
        text: { en: 'Hi {{customer.firstName|you}}!', de: 'Hallo {{customer.firstName}}!' },
      },
      {
        id: 'colour',
        kind: 'ask',
        text: 'Which colour?',
        input: { type: 'text', maxLength: 9 },
        retry: { text: 'Sorry, {{customer.firstName}}?' },
      },
      { id: 'echo', kind: 'say', text: '{{answers.colour}}' },
      {
        id: 'both',
        kind: 'say',
        text: '{{customer.lastName}}, {{answers.colour}} of {{customer.email}} is nice.',
      },
      { id: 'end', kind: 'end', text: 'Bye' },
    ],
    { locale: 'en' },
  ),
);
const shown = (type: string, ...bodies: string[]) =>
  runAtOnce(
    ownWords(
      bot,
      bodies.map((body) => ({ type, body })),
      '[-]',
    ),
  );

test('the questions of the bot are shown, in all languages, without what was filled in', () => {
  expect(
    shown('bot', 'Hi Ada!', 'Hi you!', 'Hallo Ada!', 'Which colour?', 'Sorry, Ada?', 'Bye', '…'),
  ).toEqual(['Hi [-]!', 'Hi [-]!', 'Hallo [-]!', 'Which colour?', 'Sorry, [-]?', 'Bye', '…']);
  expect(shown('bot', 'L, red of a@b.example is nice.')).toEqual(['[-], [-] of [-] is nice.']);
});

test('its own sentences about a refused answer are shown, without the limit', () => {
  expect(shown('bot', 'Please write at most 9 characters.', 'Please write an answer.')).toEqual([
    'Please write at most [-] characters.',
    'Please write an answer.',
  ]);
});

test('answers are hidden, also where the bot repeats one, and what no text of the bot can be', () => {
  expect(shown('customer', 'red', 'Which colour?', 'Hi Ada!')).toEqual(['[-]', '[-]', '[-]']);
  expect(shown('bot', 'red', 'Hi Ada', 'Dear Ada, how are you?')).toEqual(['[-]', '[-]', '[-]']);
});
