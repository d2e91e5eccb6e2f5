import { expect, test } from 'vitest';
import { hasHidden, isHidden } from './hidden-text.ts';

test('a text is hidden as a whole or in part, or not', () => {
  const texts = ['[hidden]', 'Hi [hidden]!', 'hidden', ''];
  expect(texts.map(isHidden)).toEqual([true, false, false, false]);
  expect(texts.map(hasHidden)).toEqual([true, true, false, false]);
});
