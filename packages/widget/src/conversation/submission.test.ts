import { expect, test } from 'vitest';
import { newMessageId } from './submission.ts';

test('a message has a random UUID, on a page without a secure context too', () => {
  const insecure = { getRandomValues: crypto.getRandomValues.bind(crypto) };
  for (const id of [newMessageId(), newMessageId(insecure)]) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  expect(newMessageId(insecure)).not.toBe(newMessageId(insecure));
});
