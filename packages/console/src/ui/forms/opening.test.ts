import { expect, test } from 'vitest';
import { opening } from './opening.ts';

test('a navigation names the window that its screen opens', () => {
  expect(opening('bot')).toEqual({ opens: 'bot' });
});
