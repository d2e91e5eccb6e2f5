import { headers } from '@nats-io/transport-node';
import { interactionCompleted, stream } from '@parley/contracts/events';
import { newEvent } from '@parley/events/log';
import { AppError, deadlineExceeded, unavailable } from '@parley/runtime/errors';
import { currentTraceparent, inSpan } from '@parley/runtime/telemetry/telemetry';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startLossyProxy } from './lossy-proxy.ts';
import { arrived, event, events, idsOf, logger, type Pipeline, startPipeline } from './pipeline.ts';

let system: Pipeline;
let relay: ReturnType<Pipeline['startRelay']>;
beforeAll(async () => {
  system = await startPipeline();
  relay = system.startRelay();
  // Tests make events older than its start.
  await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(async () => {
  vi.restoreAllMocks();
  // What an earlier test has put aside stays so. Without its row, the catch-up would hand it over.
  await system.consumerAdmin.query(`update webhook.event_put_aside set due_at = 'infinity'`);
  system.handled().length = 0;
  system.received.length = 0;
  system.onBatch = () => {};
});

interface Aside {
  id: string;
  tries: number;
  error: string;
  isLater: boolean;
}

const aside = () =>
  system.consumerAdmin.query<Aside>(
    `select id, tries, error, due_at > now() + interval '90 seconds' as "isLater"
     from webhook.event_put_aside where due_at < 'infinity'`,
  );

/** Makes what was put aside due, and starts a replica, which tries it at once. */
async function retryAside(): Promise<AsyncDisposable> {
  await system.consumerAdmin.query(
    `update webhook.event_put_aside set due_at = now() where due_at < 'infinity'`,
  );
  return system.startConsumer();
}

test('a committed event arrives once, with the id and time of the log', async () => {
  const all = events(20);
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  const about = all.map(({ interactionId }) => interactionId);
  const logged = await system.db
    .selectFrom('eventLog')
    .select(['id', 'raisedAt'])
    .where('about', 'in', about)
    .orderBy('id')
    .execute();
  const received = system.received.map(({ id, raisedAt }) => ({ id, raisedAt }));
  expect(received.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(logged);
});

test('what was raised while the broker was unavailable is published when it is back, and nothing else', async () => {
  const before = events(20);
  await system.raise(before);
  relay.wake();
  await arrived(system, before);
  const { manager } = await system.streams();
  const held = (await manager.streams.info(stream.name)).state.messages;
  await system.nats.stop();
  // More than the relay reads at once.
  const meanwhile = events(700);
  await system.raise(meanwhile);
  relay.wake();
  await eventually(async () => {
    const rows = await system.admin.query('select from interaction.event_log where position is null');
    expect(rows).toEqual([]);
  });
  await system.nats.start();
  await arrived(system, [...before, ...meanwhile]);
  const last = event();
  await system.raise([last]);
  relay.wake();
  await arrived(system, [...before, ...meanwhile, last]);
  await system.onTheBus(held + meanwhile.length + 1);
});

test('an event that cannot be handled is put aside with its trace, blocks nothing, and is handled later', async () => {
  const traces: (string | undefined)[] = [];
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => traces.push(currentTraceparent()));
  const bad = event();
  const tries: string[] = [];
  system.onBatch = (ids) => {
    if (!ids.includes(bad.interactionId)) return;
    tries.push(...ids);
    throw new Error('refused');
  };
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
  await inSpan('test', { parent: traceparent }, () => system.raise([bad]));
  const good = events(20);
  await system.raise(good);
  relay.wake();
  await arrived(system, good);
  await eventually(async () => {
    const error = expect.stringContaining('Error: refused') as string;
    expect(await aside()).toEqual([{ id: expect.any(String) as string, tries: 1, error, isLater: false }]);
  });
  expect(traces).toEqual([traceparent]);
  const line = expect.objectContaining({ eventId: (await aside())[0]?.id, err: expect.any(Error) as Error });
  expect(logged).toHaveBeenCalledWith(line, expect.stringContaining('put aside'));

  // The catch-up passes it.
  const before = tries.length;
  await system.age();
  await eventually(async () => expect(await cursor()).toBe(await lastPosition()));
  expect(tries).toHaveLength(before);

  // The next try is later than the first.
  const another = await retryAside();
  await eventually(async () => expect(await aside()).toMatchObject([{ tries: 2, isLater: true }]));
  await another[Symbol.asyncDispose]();
  system.onBatch = () => {};
  await retryAside();
  await arrived(system, [bad, ...good]);
  expect(await aside()).toEqual([]);
});

test('an event that only ever conflicts waits, is put aside after a minute, and delays no other', async () => {
  const bad = event();
  system.onBatch = (ids) => {
    if (ids.includes(bad.interactionId)) throw new AppError('aborted', 'conflict', 'It has changed');
  };
  await system.raise([bad]);
  const good = events(3);
  await system.raise(good);
  relay.wake();
  await arrived(system, good);
  await eventually(async () => expect(await aside()).toMatchObject([{ tries: 0 }]));
  await system.age();
  await eventually(async () => expect(await cursor()).toBe(await lastPosition()));
  await system.consumerAdmin.query(`
    update webhook.event_put_aside set due_at = now() - interval '2 minutes' where due_at < 'infinity'`);
  await eventually(async () => expect(await aside()).toMatchObject([{ tries: 1 }]));
  system.onBatch = () => {};
  await retryAside();
  await arrived(system, [bad, ...good]);
});

test('an event that conflicts for a while is handled soon after, however old it is', async () => {
  const bad = event();
  let conflicts = 3;
  system.onBatch = (ids) => {
    if (!ids.includes(bad.interactionId) || conflicts === 0) return;
    conflicts -= 1;
    throw new AppError('aborted', 'conflict', 'It has changed');
  };
  await system.raise([bad]);
  await system.age();
  relay.wake();
  await arrived(system, [bad]);
  expect(await aside()).toEqual([]);
});

test('a payload that cannot be decoded is put aside, a message that is no event is dropped', async () => {
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
  const { client } = await system.streams();
  const { subject } = interactionCompleted;
  const { seq: streamSequence } = await client.publish(subject, Buffer.from([0xff]));
  const broken = { ...newEvent(interactionCompleted, event()), payload: Buffer.from([0xff, 0xff, 0xff]) };
  await system.db.insertInto('eventLog').values(broken).execute();
  const all = [event()];
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  await eventually(async () => expect(await aside()).toMatchObject([{ id: broken.id, tries: 1 }]));
  const dropped = expect.objectContaining({ subject, streamSequence });
  expect(logged).toHaveBeenCalledWith(dropped, expect.stringContaining('dropped'));
});

test.each([
  ['a time before the year 1', { 'ce-time': '-000001-01-01T00:00:00.000Z' }],
  ['U+0000 in what it is about', { 'ce-subject': 'a\0b' }],
  ['U+0000 in its trace', { traceparent: 'a\0b' }],
])('a message with %s, which Postgres cannot store, is dropped', async (_what, fields) => {
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
  const { client } = await system.streams();
  const { id, workspaceId } = newEvent(interactionCompleted, event());
  const carried = headers();
  const all = {
    'ce-id': id,
    'ce-parleyworkspace': workspaceId,
    'ce-time': new Date().toISOString(),
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) carried.set(name, value);
  const { subject } = interactionCompleted;
  const { seq: streamSequence } = await client.publish(subject, Buffer.from([0xff]), { headers: carried });
  await eventually(() =>
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ subject, streamSequence }),
      expect.stringContaining('dropped'),
    ),
  );
});

test('1,000 events that can never be handled do not block another', async () => {
  vi.spyOn(logger, 'error').mockImplementation(() => {});
  const bad = events(1_000);
  const isBad = new Set(idsOf(bad));
  system.onBatch = (ids) => {
    if (ids.some((id) => isBad.has(id))) throw new Error('refused');
  };
  await system.raise(bad);
  const good = events(20);
  await system.raise(good);
  relay.wake();
  await arrived(system, good);
  // Those that wait for a share come later.
  await eventually(async () =>
    expect((await aside()).filter(({ tries }) => tries > 0)).toHaveLength(bad.length),
  );
});

const reasons = [
  ['a dependency is unavailable', unavailable('the dependency is unavailable')],
  ['a peer rejects our credential', new AppError('unauthenticated', 'unauthenticated', 'No')],
  ['a peer takes it for another caller’s', new AppError('permission_denied', 'caller-not-allowed', 'No')],
] as const;

test.each(reasons)('while %s all events wait, and then arrive once', async (_name, reason) => {
  const logged = vi.spyOn(logger, 'error');
  let refusals = 0;
  system.onBatch = () => {
    refusals += 1;
    if (refusals <= 3) throw reason;
  };
  const all = events(300);
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  expect(refusals).toBeGreaterThan(3);
  expect(logged).not.toHaveBeenCalled();
  expect(await aside()).toEqual([]);
});

test('events that time out as a batch are handled one by one', async () => {
  system.onBatch = (ids) => {
    if (ids.length > 1) throw deadlineExceeded('too many');
  };
  const all = events(50);
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
});

// With nats-server 2.9.10, a new consumer can deliver to nowhere and send no heartbeats.
test('a connected replica without heartbeats subscribes again', async () => {
  await using own = await startPipeline();
  await using proxy = await startLossyProxy(own.nats.url);
  own.startRelay();
  // Ends before the proxy: the client may emit an error when the connection is closed by both.
  await using _consumer = await own.startConsumer({ url: proxy.url });
  await eventually(() => expect(proxy.lost).toBe(1));
  const all = events(20);
  await own.raise(all);
  await arrived(own, all);
});

test('slow handling has its effects once, and another replica gets the events soon after a stop', async () => {
  await using own = await startPipeline();
  own.startRelay();
  const first = await own.startConsumer();
  await own.listening('test');
  const answering = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  own.onBatch = () => {
    begun.resolve();
    return answering.promise;
  };
  const all = events(100);
  await own.raise(all);
  await begun.promise;
  const begunAt = performance.now();
  await own.startConsumer();
  // Longer than the broker waits for an acknowledgement, and the catch-up for the stream.
  await eventually(() => expect(performance.now() - begunAt).toBeGreaterThan(12_000));
  const stopped = first[Symbol.asyncDispose]();
  answering.resolve();
  await stopped;
  await arrived(own, all);
});

async function cursor(): Promise<number> {
  const [row] = await system.consumerAdmin.query<{ cursor: string | null }>(
    'select cursor from webhook.inbox_cursor',
  );
  return Number(row?.cursor?.split('.')[0]);
}

async function lastPosition(): Promise<number> {
  const [row] = await system.admin.query<{ last: number }>(
    'select max(position)::int as last from interaction.event_log',
  );
  return row?.last ?? 0;
}
