import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, test } from 'vitest';
import {
  answer,
  expectAllRecorded,
  expectWithinRate,
  fill,
  idsOfOpen,
  leaseMs,
  many,
  ofHook,
  ofReplica,
  repeated,
} from './arrivals.ts';
import { oneWaits } from './locks.ts';
import { type Arrival, startReplicas } from './replicas.ts';

// The deliveries of lanes whose owner dies, freezes or loses its database.

test.concurrent('when an owner is killed, another one continues its lanes within ten seconds, at their rate', async () => {
  let diedAtMs = Number.POSITIVE_INFINITY;
  let unrecorded = Promise.resolve(new Set<string>());
  let onArrival = (_arrival: Arrival): void => {};
  await using replicas = await startReplicas((arrival) => {
    onArrival(arrival);
    return answer(50);
  });
  const { arrivals } = replicas;
  const first = await replicas.start('first');
  const second = await replicas.start('second', [first]);
  const rate = { perSecond: 5, burst: 5 };
  const owners = [first, second];
  const hooks = await many(12, () => replicas.addHook(owners));
  const limited = await many(2, () => replicas.addHook(owners, { rate }));
  onArrival = () => {
    if (ofReplica(arrivals, 'first').length < 200 || diedAtMs < Number.POSITIVE_INFINITY) return;
    diedAtMs = performance.now();
    first.signal('SIGKILL');
    unrecorded = idsOfOpen(replicas);
  };
  await fill(replicas, [...hooks, ...limited], 20);
  await fill(replicas, hooks, 40);
  await eventually(() => expect(diedAtMs).toBeLessThan(performance.now()));
  await expectAllRecorded(replicas, 12 * 60 + 2 * 20);

  for (const hook of limited) expectWithinRate(ofHook(arrivals, hook), rate);
  for (const hook of [...hooks, ...limited]) {
    const later = ofHook(arrivals, hook).filter(({ replica }) => replica === 'second');
    // Half of it is the time without heartbeats. A busy machine needs more than the rest.
    expect((later[0]?.atMs ?? 0) - diedAtMs).toBeLessThan(15_000);
  }
  // What was in flight or not recorded when it died.
  const again = repeated(arrivals);
  expect(again.every(({ replica }) => replica === 'second')).toBe(true);
  const mayRepeat = await unrecorded;
  expect(again.filter(({ deliveryId }) => !mayRepeat.has(deliveryId))).toEqual([]);
});

test.concurrent('a frozen owner sends nothing after its lease, and records nothing twice when it resumes', async () => {
  const released = Promise.withResolvers<void>();
  let isHeld = true;
  await using replicas = await startReplicas(async ({ replica }) => {
    if (isHeld && replica === 'first') await released.promise;
    return { status: 200 };
  });
  const { arrivals, db } = replicas;
  const first = await replicas.start('first');
  const second = await replicas.start('second', [first]);
  const owners = [first, second];
  const inFlight = await many(4, () => replicas.addHook(owners));
  const reading = await many(4, () => replicas.addHook(owners));
  await fill(replicas, inFlight, 5);
  await eventually(() => expect(arrivals).toHaveLength(inFlight.length));

  // It is stopped while it reads due deliveries: it has the rows when it resumes.
  await using session = await openSqlConnection(replicas.adminUrl);
  await fill({ ...replicas, notify: () => {} }, reading, 5);
  await session.query('begin');
  await session.query('lock table webhook.event in access exclusive mode');
  replicas.notify(reading);
  await oneWaits(session);
  first.signal('SIGSTOP');
  await session.query('rollback');
  // All of them wait for their answers. A poll may have begun some of the others before the lock.
  const [sentBefore, frozenAtMs] = [[...arrivals], performance.now()];
  await replicas.divided([second]);
  await expectAllRecorded(replicas, 40);

  isHeld = false;
  released.resolve();
  first.signal('SIGCONT');
  await replicas.divided(owners);
  await fill(replicas, reading, 1);
  await expectAllRecorded(replicas, 44);
  const sentAfter = arrivals.slice(sentBefore.length);
  expect(performance.now() - frozenAtMs).toBeGreaterThan(leaseMs);
  expect(ofReplica(sentAfter, 'first')).toHaveLength(4);
  const hooksOf = (some: typeof arrivals): string[] => some.map(({ webhookId }) => webhookId).sort();
  expect(hooksOf(repeated(arrivals))).toEqual(hooksOf(sentBefore));
  const attempts = await db.selectFrom('delivery').select('attempts').distinct().execute();
  expect(attempts).toEqual([{ attempts: 1 }]);
});

test.concurrent('an owner that cannot renew its lease stops at its end, though it can read; then nothing is sent twice', async () => {
  await using replicas = await startReplicas(() => ({ status: 200 }));
  const { arrivals } = replicas;
  const first = await replicas.start('first');
  const second = await replicas.start('second', [first]);
  const owners = [first, second];
  const hooks = await many(4, () => replicas.addHook(owners, { rate: { perSecond: 20, burst: 1 } }));
  await fill(replicas, hooks, 220);
  await eventually(() => expect(arrivals.length).toBeGreaterThan(20));
  await using session = await openSqlConnection(replicas.adminUrl);
  await session.query('begin');
  await session.query('select from webhook.replica where id = $1 for update', [first.id]);
  const lockedAtMs = performance.now();
  // The other one has found it dead and waits for the lock, followed by the next heartbeat of this one.
  await eventually(async () => {
    await session.query('select pg_stat_clear_snapshot()');
    const waiting = await session.query<{ what: string }>(
      `select substring(query from 'delete from replica|insert into replica') as what from pg_stat_activity
       where cardinality(pg_blocking_pids(pid)) > 0 and datname = current_database() order by query_start`,
    );
    expect(waiting.map(({ what }) => what)).toEqual(['delete from replica', 'insert into replica']);
  });
  const endedAtMs = performance.now();
  expect(endedAtMs - lockedAtMs).toBeGreaterThan(leaseMs - 1_000);
  await session.query('rollback');
  await eventually(() => expect(arrivals.at(-1)?.atMs).toBeGreaterThan(endedAtMs));
  const between = (fromMs: number, toMs: number) =>
    arrivals.filter(({ atMs }) => atMs > fromMs && atMs < toMs).length;
  expect(between(lockedAtMs + 1_500, lockedAtMs + 3_000)).toBeGreaterThan(0);
  expect(between(lockedAtMs + leaseMs + 100, endedAtMs)).toBe(0);
  await expectAllRecorded(replicas, 880);
  expect(repeated(arrivals)).toEqual([]);
  for (const hook of hooks) expectWithinRate(ofHook(arrivals, hook), { perSecond: 20, burst: 1 });
});

test.concurrent('an owner without its database loses its lanes, and its deliveries in flight are recorded once', async () => {
  const released = Promise.withResolvers<void>();
  await using replicas = await startReplicas(async ({ replica }) => {
    if (replica === 'first') await released.promise;
    return { status: 200 };
  });
  const { arrivals } = replicas;
  const first = await replicas.start('first');
  const second = await replicas.start('second', [first]);
  const owners = [first, second];
  const hooks = await many(4, () => replicas.addHook(owners));
  await fill(replicas, hooks, 10);
  await eventually(() => expect(arrivals).toHaveLength(hooks.length));
  first.database.cut();
  const cutAtMs = performance.now();
  released.resolve();
  await expectAllRecorded(replicas, 40);
  const bySecond = ofReplica(arrivals, 'second');
  expect((bySecond[0]?.atMs ?? 0) - cutAtMs).toBeLessThan(10_000);
  expect(ofReplica(arrivals, 'first')).toHaveLength(hooks.length);
  first.database.restore();
  await replicas.divided(owners);
  await fill(replicas, hooks, 1);
  await expectAllRecorded(replicas, 44);
  expect(repeated(arrivals)).toHaveLength(hooks.length);
});

test.concurrent('when the database was unavailable for longer than a lease, no shard moves and nothing is sent twice', async () => {
  const released = Promise.withResolvers<void>();
  await using replicas = await startReplicas(async () => {
    await released.promise;
    return { status: 200 };
  });
  const { arrivals, db } = replicas;
  const first = await replicas.start('first');
  const second = await replicas.start('second', [first]);
  const hooks = [
    ...(await many(8, () => replicas.addHook([first, second]))),
    ...(await many(8, () => replicas.addHook([second, first]))),
  ];
  const shards = () => db.selectFrom('shard').select(['id', 'owner', 'epoch']).orderBy('id').execute();
  const before = await shards();
  await fill(replicas, hooks, 3);
  await eventually(() => expect(arrivals).toHaveLength(hooks.length));
  // The first one sees the last heartbeat of the second one, and returns first.
  second.signal('SIGSTOP');
  await replicas.afterHeartbeats(first, 2);
  for (const { database } of [first, second]) database.cut();
  second.signal('SIGCONT');
  released.resolve();
  const cutAtMs = performance.now();
  await eventually(() => expect(performance.now() - cutAtMs).toBeGreaterThan(leaseMs + 1_500));
  first.database.restore();
  await replicas.afterHeartbeats(first, 1);
  second.database.restore();
  await expectAllRecorded(replicas, 48);
  expect(repeated(arrivals)).toEqual([]);
  expect(await shards()).toEqual(before);
});

test.concurrent('a stopping owner keeps its lanes until its deliveries in flight are marked', async () => {
  const released = Promise.withResolvers<void>();
  await using replicas = await startReplicas(async ({ replica }) => {
    if (replica === 'first') await released.promise;
    return { status: 200 };
  });
  const { arrivals } = replicas;
  const first = await replicas.start('first');
  const second = await replicas.start('second', [first]);
  const hooks = await many(4, () => replicas.addHook([first, second]));
  await using session = await openSqlConnection(replicas.adminUrl);
  await fill(replicas, hooks, 3);
  await eventually(() => expect(arrivals).toHaveLength(hooks.length));
  await session.query('begin');
  await session.query('select from webhook.open_delivery for update');
  const stopped = first.stop();
  await eventually(async () => {
    const [row] = await session.query<{ heartbeats: number }>(
      'select heartbeats from webhook.replica where id = $1',
      [first.id],
    );
    expect(row?.heartbeats).toBeLessThan(0);
  });
  await replicas.afterHeartbeats(second, 2);
  await session.query('rollback');
  released.resolve();
  await stopped;
  await expectAllRecorded(replicas, 12);
  expect(repeated(arrivals)).toEqual([]);
});
