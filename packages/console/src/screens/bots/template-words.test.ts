import { expect, test } from 'vitest';
import { templateWords } from './template-words.ts';

test('the words of a template are in the language of the reader, with choices and fallbacks', () => {
  const steps = [
    {
      id: 'hi',
      kind: 'say',
      text: { en: 'Hi {{customer.firstName|there}}!', de: 'Hallo {{customer.firstName}}!' },
    },
    { id: 'set', kind: 'set' },
    { id: 'how', kind: 'ask', text: 'How?', input: { choices: [{ label: { en: 'Well', de: 'Gut' } }] } },
    { id: 'score', kind: 'ask', text: '?', input: { labels: { low: { en: 'Bad', de: 'Schlecht' } } } },
  ];
  expect(templateWords({ steps }, 'en')).toEqual([
    { id: 'hi', text: 'Hi there!', choices: [] },
    { id: 'how', text: 'How?', choices: ['Well'] },
    { id: 'score', text: '?', choices: ['Bad'] },
  ]);
  expect(templateWords({ steps }, 'de')[0]?.text).toBe('Hallo [customer.firstName]!');
  expect(templateWords({}, 'en')).toEqual([]);
});
