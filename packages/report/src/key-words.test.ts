import { expect, test } from 'vitest';
import { keyWords } from './key-words.ts';

const choices = (...values: string[]) =>
  values.map((value) => ({ value, label: { en: `The ${value}`, de: `Der ${value}` } }));
const definition = {
  locale: 'en',
  steps: [
    {
      id: 'why',
      kind: 'ask',
      text: { en: 'Why, {{customer.firstName}}?', de: 'Warum?' },
      evaluation: 'reason',
      input: { type: 'multiChoice', choices: choices('price'), other: { label: 'Something else' } },
    },
    {
      id: 'again',
      kind: 'ask',
      text: 'And?',
      evaluation: 'reason',
      input: { choices: choices('price', 'size') },
    },
    {
      id: 'rate',
      kind: 'ask',
      text: 'How good?',
      evaluation: 'rates',
      input: { type: 'matrix', rows: choices('speed'), columns: choices('good') },
    },
    {
      id: 'agree',
      kind: 'ask',
      text: 'Agreed?',
      evaluation: 'agreed',
      input: { type: 'yesNo', labels: { yes: 'Sure', no: 'Never' } },
    },
    { id: 'set', kind: 'set', evaluation: { segment: "'fan'" } },
    { id: 'sort', kind: 'llm', mode: 'classify', prompt: 'Sort', evaluation: 'theme' },
    { id: 'plain', kind: 'ask', text: 'Not kept?', input: { type: 'text' } },
  ],
};

const plain = (language: string) =>
  [...keyWords(definition, language)].map(([key, { questions, labels }]) => [
    key,
    questions,
    Object.fromEntries(labels),
  ]);

test('a key has its questions, and its values their labels, in the language of the reader', () => {
  expect(plain('en')).toEqual([
    [
      'reason',
      ['Why, {{customer.firstName}}?', 'And?'],
      { price: 'The price', size: 'The size', other: 'Something else' },
    ],
    ['rates', ['How good?'], { speed: 'The speed', good: 'The good' }],
    ['agreed', ['Agreed?'], { yes: 'Sure', no: 'Never' }],
  ]);
  expect(plain('de').slice(0, 2)).toEqual([
    ['reason', ['Warum?', 'And?'], { price: 'Der price', size: 'Der size', other: 'Something else' }],
    ['rates', ['How good?'], { speed: 'Der speed', good: 'Der good' }],
  ]);
});

const withInput = (...values: string[]) => ({ input: { type: 'choice', choices: choices(...values) } });

test('values that a model finds, and answers that an expression passes on, have their labels', () => {
  const found = keyWords(
    {
      locale: 'en',
      steps: [
        { id: 'why', kind: 'ask', text: 'Why?', evaluation: 'kept', ...withInput('price') },
        { id: 'again', kind: 'ask', text: 'Again?', ...withInput('size') },
        {
          id: 'read',
          kind: 'llm',
          mode: 'extract',
          saveAs: 'said',
          fields: { theme: withInput('speed'), mood: withInput('good') },
          evaluation: { theme: 'theme', gone: 'gone' },
        },
        {
          id: 'set',
          kind: 'set',
          evaluation: {
            copy: ' answers.why ',
            either: "answers.again == 'price?' ? answers.why : (answers.again)",
            found: "has(answers.said) ? answers.said.mood : 'none'",
            kept: 'answers.again',
            computed: "answers.why == 'price' ? 'cheap' : 'dear'",
            length: 'size(answers.why)',
            faulty: 3,
          },
        },
      ],
    },
    'de',
  );
  expect([...found].map(([key, { questions, labels }]) => [key, questions, [...labels.keys()]])).toEqual([
    ['kept', ['Why?'], ['size', 'price']],
    ['theme', [], ['speed']],
    ['copy', [], ['price']],
    ['either', [], ['price', 'size']],
    ['found', [], ['good']],
  ]);
  expect(found.get('theme')?.labels.get('speed')).toBe('Der speed');
});

test.each([
  undefined,
  null,
  'text',
  {},
  { steps: [null, 3, { evaluation: 'key' }, { evaluation: 'key', text: {} }] },
])('a definition with faults, such as %j, has the words that it has', (faulty) =>
  expect([...keyWords(faulty, 'en')]).toEqual([]),
);
