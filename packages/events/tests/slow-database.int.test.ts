import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventually } from '@parley/testing/eventually';
import { arrived, event, events, type Pipeline, startPipeline } from './pipeline.ts';

// A database that is slow for everybody still gets batches. One costly workspace is handled alone.

/** Makes each statement that writes as a consumer take so long. A transaction of a handler has two of them. */
async function slowDown({ consumerAdmin }: Pipeline, seconds: number): Promise<void> {
  await consumerAdmin.query(`
    create function webhook.slow_down() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(${seconds});
      return null;
    end $$;
    ${['handled_event', 'event_put_aside', 'inbox_turn']
      .map(
        (table) => `create trigger slow_down before insert or update or delete on webhook.${table}
          for each statement execute function webhook.slow_down();`,
      )
      .join('\n')}`);
}

/** Starts a pipeline whose consumer's transactions take longer than others wait, and counts how many begin. */
async function startSlowPipeline() {
  const system = await startPipeline();
  const count = { transactions: 0 };
  system.onBatch = () => void (count.transactions += 1);
  await slowDown(system, 0.6);
  const relay = system.startRelay();
  const consumer = await system.startConsumer({ from: 'beginning', gatherMs: 500 });
  await system.listening('test');
  return { system, relay, consumer, count };
}

test('on a slow database, events of 400 workspaces take 20 transactions at most', async () => {
  const { system, relay, count } = await startSlowPipeline();
  await using _ = system;
  const all = events(400);
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  expect(count.transactions).toBeLessThanOrEqual(20);
});

test('on a slow database, 60 events of one workspace take 20 transactions at most', async () => {
  const { system, relay, count } = await startSlowPipeline();
  await using _ = system;
  const { workspaceId } = event();
  const all = events(60).map((one) => ({ ...one, workspaceId }));
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  expect(count.transactions).toBeLessThanOrEqual(20);
});

test('on a slow database, a replica that stops loses no event, and none is handled twice', async () => {
  const { system, relay, consumer, count } = await startSlowPipeline();
  await using _ = system;
  await system.startConsumer({ gatherMs: 500 });
  const all = events(400);
  await system.raise(all);
  relay.wake();
  await eventually(() => expect(count.transactions).toBeGreaterThan(3));
  await consumer[Symbol.asyncDispose]();
  await arrived(system, all);
  expect(count.transactions).toBeLessThanOrEqual(40);
});

test('on a slow database, an event that cannot be handled is found among 100 workspaces in half as many transactions', async () => {
  const { system, relay, count } = await startSlowPipeline();
  await using _ = system;
  const bad = event();
  system.onBatch = (ids) => {
    count.transactions += 1;
    if (ids.includes(bad.interactionId)) throw new Error('refused');
  };
  const others = events(99);
  await system.raise([...others.slice(0, 40), bad, ...others.slice(40)]);
  relay.wake();
  await arrived(system, others);
  const aside = () => system.consumerAdmin.query('select about, tries from webhook.event_put_aside');
  await eventually(async () => expect(await aside()).toEqual([{ about: bad.interactionId, tries: 1 }]));
  expect(count.transactions).toBeLessThanOrEqual(50);
});

test('a workspace whose events hang is in two batches of others at most', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const hanging = { ...event(), workspaceId: randomUUID() };
  const { promise, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  system.onBatch = async (ids, _durable, isShare) => {
    if (!ids.includes(hanging.interactionId)) return;
    if (!isShare) runs += 1;
    await promise;
  };
  await system.startConsumer({ from: 'beginning', gatherMs: 500 });
  await system.listening('test');
  const others = events(200);
  await system.raise([hanging, ...others]);
  relay.wake();
  await arrived(system, others);
  expect(runs).toBeLessThanOrEqual(2);
  resolve();
  await arrived(system, [hanging, ...others]);
});
