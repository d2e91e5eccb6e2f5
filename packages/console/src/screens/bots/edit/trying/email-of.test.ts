import { expect, test } from 'vitest';
import { emailOf } from './email-of.ts';

const definition = {
  schemaVersion: 1,
  key: 'k',
  name: 'N',
  type: 'T',
  context: [{ name: 'product' }],
  steps: [
    { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'longText' } },
    {
      id: 'happy',
      kind: 'ask',
      text: { en: 'Happy with {{context.product}}?', de: 'Zufrieden mit {{context.product}}?' },
      input: { type: 'yesNo', labels: { yes: { en: 'Yes', de: 'Ja' }, no: { en: 'No', de: 'Nein' } } },
    },
    { id: 'bye', kind: 'end' },
  ],
};
const run = { id: 'r', definition, context: { product: 'Tea' }, advances: [] };
const sender = { displayName: 'Fog & Leaf', accentColor: null, link: 'https://p.example/interactions/…' };

test('the block has the question at which the conversation begins, in the language of the customer', () => {
  const email = emailOf({ ...run, beginsAt: 'happy', locale: 'de' }, sender);
  expect(email?.html).toContain('Zufrieden mit Tea?');
  expect(email?.html).toContain('Fog &amp; Leaf');
  const [company, question, answers] = email?.text.split('\n\n') ?? [];
  expect([company, question]).toEqual(['Fog & Leaf', 'Zufrieden mit Tea?']);
  expect(answers?.split('\n')).toEqual([
    'Ja: https://p.example/interactions/…/answer?step=happy&answer=yes&locale=de',
    'Nein: https://p.example/interactions/…/answer?step=happy&answer=no&locale=de',
    '',
  ]);
});

test('a question that one click cannot answer has no block, and a definition with faults has none', () => {
  expect(emailOf(run, sender)).toBeUndefined();
  expect(emailOf({ ...run, definition: { ...definition, steps: [] } }, sender)).toBeUndefined();
});
