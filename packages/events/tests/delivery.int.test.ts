import { interactionCompleted } from '@parley/contracts/events';
import { AppError, deadlineExceeded, unavailable } from '@parley/runtime/errors';
import { currentTraceparent, inSpan } from '@parley/runtime/telemetry';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startLossyProxy } from './lossy-proxy.ts';
import { arrived, event, events, idsOf, startPipeline, logger } from './pipeline.ts';

/** Relay, reconciliation and consumer, running. */
async function runningLine() {
  const system = await startPipeline();
  const relay = system.startRelay();
  await system.startConsumer();
  const reconciliation = system.startReconciliation();
  /** Republishes missing events immediately. */
  const reconcile = async (): Promise<void> => {
    await system.age();
    reconciliation.wake();
  };
  return Object.assign(system, { relay, reconcile });
}

let system: Awaited<ReturnType<typeof runningLine>>;
beforeAll(async () => {
  system = await runningLine();
});
afterAll(() => system[Symbol.asyncDispose]());
// Nothing of an earlier test is still to be handled or to be published again.
beforeEach(async () => {
  await system.onTheBus(0, 20_000);
  await system.db.deleteFrom('outbox').execute();
  system.handled.length = 0;
  system.raisedAt.clear();
  system.onBatch = () => {};
});

test('a committed event arrives and leaves the outbox once it is confirmed', async () => {
  const all = [event()];
  await system.raise(all);
  system.relay.wake();
  await arrived(system, idsOf(all));
  await system.reconcile();
  await eventually(async () => expect(await system.outbox()).toEqual([]));
});

test('an event carries the time when it was raised, by the clock of its sender’s database', async () => {
  const all = [event()];
  await system.raise(all);
  const rows = await system.db.selectFrom('outbox').select(['eventId', 'createdAt']).execute();
  system.relay.wake();
  await arrived(system, idsOf(all));
  expect([...system.raisedAt]).toEqual(rows.map(({ eventId, createdAt }) => [eventId, createdAt]));
});

test('an event that was raised while the broker was unavailable arrives when it is back', async () => {
  await system.nats.stop();
  const all = [event()];
  await system.raise(all);
  system.relay.wake();
  await system.nats.start();
  await eventually(() => expect(system.handled).toEqual(idsOf(all)));
});

test('an event that cannot be handled does not block others, is logged and is republished', async () => {
  const logged = vi.spyOn(logger, 'error');
  const bad = event();
  const good = events(20);
  system.onBatch = (ids) => {
    if (ids.includes(bad.interactionId)) throw new Error('refused');
  };
  await system.raise([bad]);
  await system.raise(good);
  system.relay.wake();
  await arrived(system, idsOf(good));
  await eventually(() =>
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ eventId: bad.interactionId, err: expect.any(Error) }),
      expect.stringContaining('dropped'),
    ),
  );
  await system.onTheBus(0);
  system.onBatch = () => {};
  await system.reconcile();
  await arrived(system, idsOf([bad, ...good]));
});

test('an undecodable payload is dropped and logged, and the next event is handled', async () => {
  const logged = vi.spyOn(logger, 'error');
  const { client } = await system.streams();
  const { subject } = interactionCompleted;
  const { seq: streamSequence } = await client.publish(subject, Buffer.from([0xff, 0xff, 0xff]));
  const all = [event()];
  await system.raise(all);
  system.relay.wake();
  await arrived(system, idsOf(all));
  await system.onTheBus(0);
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ subject, streamSequence, err: expect.any(Error) }),
    expect.stringContaining('dropped'),
  );
});

test('1,000 events that can never be handled do not block another', async () => {
  const bad = events(1_000);
  const isBad = new Set(idsOf(bad));
  const refused = new Set<string>();
  system.onBatch = (ids) => {
    if (!ids.some((id) => isBad.has(id))) return;
    if (ids.length === 1) refused.add(String(ids));
    throw new Error('refused');
  };
  await system.raise(bad);
  const good = events(20);
  await system.raise(good);
  system.relay.wake();
  await arrived(system, idsOf(good));
  // The next test begins when all of them have been dropped.
  await eventually(() => expect(refused.size).toBe(bad.length));
});

const reasons = [
  ['a dependency is unavailable', unavailable('the dependency is unavailable')],
  ['a peer rejects our credential', new AppError('unauthenticated', 'unauthenticated', 'No')],
  ['a peer takes it for another caller’s', new AppError('permission_denied', 'operator-only', 'No')],
] as const;

test.each(reasons)('while %s all events stay in the stream, and then arrive once', async (_name, reason) => {
  const logged = vi.spyOn(logger, 'error').mockClear();
  let refusals = 0;
  system.onBatch = () => {
    refusals += 1;
    if (refusals <= 3) throw reason;
  };
  const all = events(300);
  await system.raise(all);
  system.relay.wake();
  await eventually(() => expect(refusals).toBeGreaterThan(3));
  await arrived(system, idsOf(all));
  expect(logged).not.toHaveBeenCalled();
});

test('the log line of a dropped event has the trace of the event', async () => {
  const traces: (string | undefined)[] = [];
  vi.spyOn(logger, 'error').mockImplementationOnce(() => traces.push(currentTraceparent()));
  system.onBatch = () => {
    throw new Error('refused');
  };
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
  await inSpan('test', { parent: traceparent }, () => system.raise([event()]));
  system.relay.wake();
  await eventually(() => expect(traces).toEqual([traceparent]));
});

// With nats-server 2.9.10, a new consumer can deliver to nowhere and send no heartbeats.
test('a connected replica without heartbeats subscribes again', async () => {
  await using own = await startPipeline();
  await using proxy = await startLossyProxy(own.nats.url);
  own.startRelay();
  await own.startConsumer(proxy.url);
  await eventually(() => expect(proxy.lost).toBe(1));
  const all = events(20);
  await own.raise(all);
  await arrived(own, idsOf(all));
});

test('events that time out as a batch are handled one by one', async () => {
  system.onBatch = (ids) => {
    if (ids.length > 1) throw deadlineExceeded('too many');
  };
  const all = events(50);
  await system.raise(all);
  system.relay.wake();
  await arrived(system, idsOf(all));
});

test('slow handling causes no redelivery, and another replica gets the events soon after a stop', async () => {
  await using own = await startPipeline();
  own.startRelay();
  const first = await own.startConsumer();
  const answering = Promise.withResolvers<void>();
  const begun: string[] = [];
  own.onBatch = (ids) => {
    begun.push(...ids);
    return answering.promise;
  };
  const all = events(100);
  await own.raise(all);
  await eventually(() => expect(begun.length).toBeGreaterThan(0));
  const inHand = begun.length;
  const begunAt = performance.now();
  await own.startConsumer();
  // Longer than the broker waits for an acknowledgement.
  await eventually(() => expect(performance.now() - begunAt).toBeGreaterThan(12_000), { timeoutMs: 13_000 });
  expect(new Set(begun).size).toBe(begun.length);
  const stopped = first[Symbol.asyncDispose]();
  answering.resolve();
  await stopped;
  await arrived(own, idsOf(all));
  expect(inHand).toBeLessThanOrEqual(100);
});
