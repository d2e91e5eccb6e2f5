import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { interactionCompleted, stream } from '@parley/contracts/events';
import { startCatchUp } from '@parley/events/catch-up';
import { inboxOf } from '@parley/events/inbox';
import { openBroker } from '@parley/events/nats';
import { backlogsOf } from '@parley/events/stream';
import { unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { arrived, events, logger, startPipeline } from './pipeline.ts';

test('a durable of a plain client that never reads harms nobody, and its lag is known', async () => {
  await using system = await startPipeline();
  const { manager } = await system.streams();
  await manager.consumers.add(stream.name, {
    durable_name: 'foreign',
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    // The smallest that there is: a work queue would be full at once.
    max_ack_pending: 1,
  });
  const relay = system.startRelay();
  await system.startConsumer({ durable: 'one' });
  await system.listening('one', 'foreign');
  const all = events(1_100);
  await system.raise(all);
  relay.wake();
  await arrived(system, all, 'one');
  await eventually(async () => {
    expect(await backlogsOf(manager)).toEqual(
      new Map([
        ['foreign', { lag: all.length, redelivered: 0 }],
        ['one', { lag: 0, redelivered: 0 }],
      ]),
    );
  });
});

test('the age of a cursor rises while the log cannot be read, and is 0 afterwards', async () => {
  await using system = await startPipeline();
  await using broker = await openBroker({ url: system.nats.url, logger, streamReplicas: 1 });
  let isUnavailable = true;
  await using catchUp = startCatchUp({
    broker,
    logger,
    durable: 'one',
    inbox: inboxOf(system.consumers, 'one'),
    source: {
      name: 'interaction',
      log: {
        listEvents: (...call) => {
          if (isUnavailable) throw unavailable('the log is unavailable');
          return system.log.listEvents(...call);
        },
      },
    },
    subjects: [interactionCompleted.subject],
    from: 'now',
    handling: async () => ({
      again: new Set(),
      waits: new Set(),
      passable: new Set(),
      slow: new Set(),
      repeated: 0,
    }),
  });
  await eventually(() => expect(catchUp.behindSeconds()).toBeGreaterThan(0));
  isUnavailable = false;
  catchUp.wake();
  await eventually(() => expect(catchUp.behindSeconds()).toBe(0));
});
