import { postponedBy } from '@parley/events/shares';
import { eventually } from '@parley/testing/eventually';
import { unavailable } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { arrived, event, events, startPipeline } from './pipeline.ts';

// What a consumer postpones delays none of its other events, and is neither lost nor handled twice.

const postponed = postponedBy('test');

test('while postponed events hang, others of their workspace are handled, and then these, in order', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const { workspaceId } = event();
  const all = events(60).map((one) => ({ ...one, workspaceId }));
  const some = all.filter((_, at) => at % 2 === 0).map(({ interactionId }) => interactionId);
  const { promise, resolve } = Promise.withResolvers<void>();
  system.onBatch = (_, durable) => (durable === postponed ? promise : undefined);
  await system.startConsumer({ from: 'beginning', isPostponed: (id) => some.includes(id) });
  await system.listening('test');
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  expect(system.handled(postponed)).toEqual([]);
  resolve();
  await eventually(() => expect(system.handled(postponed)).toEqual(some));
  expect(await system.consumerAdmin.query('select from webhook.event_put_aside')).toEqual([]);
});

test('an event is postponed by the transaction that takes it, or not at all', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const one = event();
  const aside = () => system.consumerAdmin.query('select from webhook.event_put_aside');
  const found: unknown[] = [];
  system.onBatch = async (_, durable) => {
    if (durable === 'test') found.push(await aside());
  };
  const faults = [unavailable(undefined, 'The first transaction is rolled back')];
  system.beforeCommit = () => {
    const fault = faults.pop();
    if (fault) throw fault;
  };
  await system.startConsumer({ from: 'beginning', isPostponed: () => true });
  await system.listening('test');
  await system.raise([one]);
  relay.wake();
  await arrived(system, [one]);
  await arrived(system, [one], postponed);
  expect(found).toEqual([[], []]);
  expect(await aside()).toEqual([]);
});

test('what a replica has postponed and not handled, the next one handles', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const all = events(3);
  // The handler of the first replica never ends.
  system.onBatch = (_, durable) => (durable === postponed ? new Promise<void>(() => {}) : undefined);
  {
    await using _ = await system.startConsumer({ from: 'beginning', isPostponed: () => true });
    await system.listening('test');
    await system.raise(all);
    relay.wake();
    await arrived(system, all);
    expect(system.handled(postponed)).toEqual([]);
  }
  system.onBatch = () => {};
  await system.startConsumer({ isPostponed: () => true });
  await arrived(system, all, postponed);
});
