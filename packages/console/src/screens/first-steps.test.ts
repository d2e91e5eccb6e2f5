import { expect, test } from 'vitest';
import { stepsOf } from './first-steps.ts';

const none = { bots: 0, tried: 0, keys: 0, webhooks: 0, interactions: 0 };
const doneIn = (found: Parameters<typeof stepsOf>[0]) =>
  stepsOf(found).map(({ step, isDone }) => (isDone ? `${step} ✓` : step));

test('an empty workspace has all steps, and what exists ticks them off', () => {
  expect(doneIn(none)).toEqual(['bot', 'try', 'key', 'webhook', 'invite']);
  expect(doneIn({ ...none, bots: 2, keys: 1 })).toEqual(['bot ✓', 'try', 'key ✓', 'webhook', 'invite']);
});

test('there are none when all are done, and none of what the person may not see', () => {
  expect(doneIn({ bots: 1, tried: 1, keys: 1, webhooks: 1, interactions: 1 })).toEqual([]);
  expect(doneIn({ ...none, bots: 1, keys: undefined })).toEqual(['bot ✓', 'try', 'webhook', 'invite']);
  expect(
    doneIn({ ...none, bots: 1, tried: undefined, keys: undefined, webhooks: undefined, interactions: 3 }),
  ).toEqual([]);
});
