import { expect, test } from 'vitest';
import { eventsOf } from './wanted-events.ts';

test('the events of a webhook are those of its text that this console knows', () => {
  expect(eventsOf({ event: 'InteractionCompleted, InteractionCreated' })).toEqual([
    'InteractionCompleted',
    'InteractionCreated',
  ]);
  expect(eventsOf({ event: '' })).toEqual([]);
  expect(eventsOf({ event: 'InteractionCompleted,OfANewerRelease' })).toEqual(['InteractionCompleted']);
});
