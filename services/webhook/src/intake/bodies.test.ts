import { expect, test } from 'vitest';
import { withBodies } from './bodies.ts';

test('bodies of many events are read in calls of at most 500, each event with its own', async () => {
  const events = Array.from({ length: 1_203 }, (_, n) => ({
    workspaceId: 'w',
    interactionId: String(n),
    status: 'Completed',
  }));
  const sizes: number[] = [];
  const listEventBodies = async (request: { events: { interactionId: string }[] }) => {
    sizes.push(request.events.length);
    return { bodies: request.events.map(({ interactionId }) => ({ data: interactionId })) };
  };
  const read: unknown[] = [];
  for await (const part of withBodies({ listEventBodies } as never, events as never, { requestId: 'r' })) {
    read.push(...part);
  }
  expect(sizes).toEqual([500, 500, 203]);
  expect(read).toEqual(events.map((event) => ({ ...event, data: event.interactionId })));
});
