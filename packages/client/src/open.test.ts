import { expect, test } from 'vitest';
import type { Interaction, NewInteraction } from './gen/api.ts';
import type { Known } from './open.ts';

// The compiler checks these types.

test('an enum of an answer has any other value, and that of a request has not', () => {
  const received: Interaction['status'] = 'Paused';
  // @ts-expect-error: no value of a request
  const sent: NewInteraction['status'] = 'Paused';
  expect(sent).toBe(received);
});

test('the known values of an enum are those of this version, so that a switch can have them all', () => {
  const [known]: Known<Interaction['status']>[] = ['Completed'];
  // @ts-expect-error: a value of a newer service
  const unknown: Known<Interaction['status']> = 'Paused';
  expect(known).not.toBe(unknown);
});
