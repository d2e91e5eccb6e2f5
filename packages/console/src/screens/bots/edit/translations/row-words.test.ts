import { translationTable } from '@parley/bot/translations/table';
import { expect, test } from 'vitest';
import { de } from '../../../../texts/de/de.ts';
import { en } from '../../../../texts/en/en.ts';
import { rowWords } from './row-words.ts';

const steps = [
  { id: 'hi', kind: 'say', text: 'Hi {{customer.firstName|you}}' },
  {
    id: 'size',
    kind: 'ask',
    text: { en: 'Which size?', de: 'Welche Größe?' },
    retry: { text: 'Please choose.' },
    input: {
      type: 'choice',
      choices: [
        { value: 's', label: 'Small' },
        { value: 'x.l', label: '' },
      ],
      other: { label: 'Another one' },
    },
  },
  { id: 'again', kind: 'ask', text: 'Again?', input: { type: 'yesNo' } },
  { id: 'terms', kind: 'ask', text: '', input: { type: 'consent', label: 'I agree' } },
  {
    id: 'parts',
    kind: 'ask',
    text: 'How?',
    input: {
      type: 'matrix',
      rows: [{ value: 'speed', label: 'Speed' }],
      columns: [{ value: 'bad', label: 'Bad' }],
    },
  },
];
const { rows, own } = translationTable({ steps });
const inWords = (texts: Parameters<typeof rowWords>[0]) =>
  rows.map((row) => rowWords(texts, steps[Number(row.path[1])] ?? {}, row, own));

test('texts are named by their step and their place, in words', () => {
  expect(inWords(en)).toEqual([
    '1. Hi ‹first name› · Text',
    '2. Which size? · Text',
    '2. Which size? · What follows text that is no answer',
    '2. Which size? · Choice: Small',
    '2. Which size? · Choice: x.l',
    '2. Which size? · An answer in own words',
    '3. Again? · Text',
    '3. Again? · Words for yes',
    '3. Again? · Words for no',
    '4. Question · Text',
    '4. Question · Words',
    '5. How? · Text',
    '5. How? · Row: Speed',
    '5. How? · Column: Bad',
  ]);
});

test('the words are German for readers of German', () => {
  expect(inWords(de).slice(2, 6)).toEqual([
    '2. Which size? · Was auf Text folgt, der keine Antwort ist',
    '2. Which size? · Auswahl – Small',
    '2. Which size? · Auswahl – x.l',
    '2. Which size? · Eine Antwort in eigenen Worten',
  ]);
});
