import { expect, test } from 'vitest';
import { beginningOf, isGiven } from './messages.ts';

test('only a message with a branding is one of the editor', () => {
  expect(isGiven({ locale: undefined, branding: null })).toBe(true);
  for (const data of [null, undefined, 'text', 1, {}, { definition: {} }, { source: 'extension' }])
    expect(isGiven(data)).toBe(false);
});

test('an empty field of the context is not given, and a run may name the language', () => {
  const context = { product: 'Tea', size: '' };
  const customer = { id: 'preview' };
  expect(beginningOf({ context })).toEqual({ context: { product: 'Tea' }, customer });
  expect(beginningOf({ context: {}, locale: 'de' })).toEqual({ context: {}, customer, locale: 'de' });
});
