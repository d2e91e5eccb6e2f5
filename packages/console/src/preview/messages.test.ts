import { expect, test } from 'vitest';
import { isGiven } from './messages.ts';

test('only a message with a definition and a beginning is one of the editor', () => {
  expect(isGiven({ definition: {}, beginning: {}, advances: [], branding: null })).toBe(true);
  for (const data of [null, undefined, 'text', 1, {}, { definition: {} }, { source: 'extension' }])
    expect(isGiven(data)).toBe(false);
});
