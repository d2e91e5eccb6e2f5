import { expect, test } from 'vitest';
import { givenOf, isGiven } from './messages.ts';

test('only a message with a definition and a beginning is one of the editor', () => {
  expect(isGiven({ definition: {}, beginning: {}, advances: [], branding: null })).toBe(true);
  for (const data of [null, undefined, 'text', 1, {}, { definition: {} }, { source: 'extension' }])
    expect(isGiven(data)).toBe(false);
});

test('an empty field of the context is not given', () => {
  const run = { id: 'r', definition: { key: 'nps' }, context: { product: 'Tea', size: '' }, advances: [] };
  const given = givenOf(run, null);
  expect(given).toEqual({
    definition: { key: 'nps' },
    beginning: { context: { product: 'Tea' }, customer: { id: 'preview' } },
    advances: [],
    branding: null,
  });
  expect(isGiven(given)).toBe(true);
});

test('a run says in which language and at which step it begins', () => {
  const run = { id: 'r', definition: {}, context: {}, locale: 'de', beginsAt: 'why', advances: [] };
  expect(givenOf(run, null)).toMatchObject({ beginning: { locale: 'de' }, beginsAt: 'why' });
});
