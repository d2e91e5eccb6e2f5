import { eventually } from '@parley/testing/eventually';
import { openSqlSession } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addEvents, type Hook } from './lanes.ts';
import { oneWaits } from './locks.ts';
import { type Arrival, type Replicas, startReplicas } from './replicas.ts';

// The deliveries of lanes whose owner dies, stops, freezes or loses its database.

/** The length of a lease, after which its owner stops. */
const leaseMs = 4_500;
/** Less than what is left of a lease that was renewed a second ago: only what was handed over continues by then. */
const handOverMsMax = 3_000;
const patience = { timeoutMs: 60_000 };

const answer = async (afterMs: number) => {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  return { status: 200 };
};

async function many<Item>(number: number, make: () => Promise<Item>): Promise<Item[]> {
  const made: Item[] = [];
  while (made.length < number) made.push(await make());
  return made;
}

/** Returns the ids of the events for each of the webhooks. */
async function fill(
  { db, notify }: Replicas,
  hooks: readonly Hook[],
  number: number,
): Promise<Map<string, string[]>> {
  const events = new Map<string, string[]>();
  for (const hook of hooks) events.set(hook.id, await addEvents(db, hook, number));
  notify(hooks);
  return events;
}

async function idsOfOpen({ db }: Replicas): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from open_delivery`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Waits until nothing is open, then expects that every delivery has one finished row, and each attempt one number. */
async function expectAllRecorded({ db }: Replicas, deliveries: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`
      select (select count(*)::int from open_delivery) as open,
        (select count(*)::int from finished_delivery where state = 'succeeded') as succeeded`.execute(db);
    expect(rows).toEqual([{ open: 0, succeeded: deliveries }]);
  }, patience);
  const { rows: wrong } = await sql`
    select id, attempts, array(
      select number from every_attempt where delivery_id = delivery.id order by number) as numbers
    from delivery
    where (select count(*) from delivery as same where same.id = delivery.id) > 1
      or array(select number from every_attempt where delivery_id = delivery.id order by number)
        <> array(select generate_series(1, attempts))`.execute(db);
  expect(wrong).toEqual([]);
}

const ofHook = (arrivals: readonly Arrival[], { id }: Hook): Arrival[] =>
  arrivals.filter(({ webhookId }) => webhookId === id);

/** Returns the earlier arrivals of the given ones. */
function repeated(arrivals: readonly Arrival[]): Arrival[] {
  const seen = new Set<string>();
  return arrivals.filter(({ deliveryId }) => seen.has(deliveryId) || !seen.add(deliveryId));
}

/** How late an arrival on a busy machine can be. Less than half of a bucket of a second. */
const lateSecondsMax = 0.45;

/** Expects that no period has more arrivals than a token bucket allows. */
function expectWithinRate(
  arrivals: readonly Arrival[],
  { perSecond, burst }: { perSecond: number; burst: number },
): void {
  const excess = arrivals.flatMap((first, from) =>
    arrivals
      .slice(from)
      .map(
        ({ atMs }, index) => index + 1 - burst - ((atMs - first.atMs) / 1_000 + lateSecondsMax) * perSecond,
      ),
  );
  expect(Math.max(...excess)).toBeLessThanOrEqual(0);
}

function greatestGapMs(arrivals: readonly Arrival[]): number {
  return Math.max(...arrivals.slice(1).map(({ atMs }, at) => atMs - (arrivals[at]?.atMs ?? 0)));
}

function ofReplica(arrivals: readonly Arrival[], name: string): Arrival[] {
  return arrivals.filter(({ replica }) => replica === name);
}

// The first two depend on the speed of the machine, so nothing runs concurrently.

test('when replicas join and stop, lanes continue long before a lease ends, in order, at their rate, without duplicates', async () => {
  await using replicas = await startReplicas(() => answer(50));
  const { arrivals } = replicas;
  const first = await replicas.start('first');
  const rate = { perSecond: 15, burst: 1 };
  const ordered = await many(6, () => replicas.addHook([first], { ordering: 'strict' }));
  const limited = await many(6, () => replicas.addHook([first], { rate }));
  const hooks = [...ordered, ...limited];
  const events = await fill(replicas, hooks, 500);
  const goesOn = async (): Promise<void> => {
    const nowMs = performance.now();
    await eventually(() => {
      for (const hook of hooks) expect(ofHook(arrivals, hook).at(-1)?.atMs).toBeGreaterThan(nowMs + 500);
    }, patience);
  };
  await goesOn();
  await replicas.start('second', [first]);
  await goesOn();
  await first.stop();
  await goesOn();

  expect(repeated(arrivals)).toEqual([]);
  expect(new Set(arrivals.map(({ replica }) => replica))).toEqual(new Set(['first', 'second']));
  for (const hook of hooks) {
    const sent = ofHook(arrivals, hook);
    expect(greatestGapMs(sent)).toBeLessThan(handOverMsMax);
    // Events of one batch without times of completion are ordered by their ids.
    const wanted = events.get(hook.id)?.toSorted();
    if (ordered.includes(hook))
      expect(sent.map(({ eventId }) => eventId)).toEqual(wanted?.slice(0, sent.length));
    else expectWithinRate(sent, rate);
  }
});

test('a database clock that is set back delays no delivery', async () => {
  await using replicas = await startReplicas(() => ({ status: 200 }));
  await using session = await openSqlSession(replicas.adminUrl);
  // Shadows the clock for new connections.
  await session.query(`
    create table webhook.clock as select interval '0' as back;
    grant select on webhook.clock to parley_webhook;
    create function webhook.now() returns timestamptz language sql stable as
      'select pg_catalog.now() - back from webhook.clock';
    create function webhook.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() - back from webhook.clock';
    do $$ begin
      execute format('alter role parley_webhook in database %I set search_path = webhook, pg_catalog', current_database());
    end $$`);
  const first = await replicas.start('first');
  const hook = await replicas.addHook([first], { rate: { perSecond: 20, burst: 1 } });
  await fill(replicas, [hook], 60);
  await eventually(() => expect(replicas.arrivals.length).toBeGreaterThan(10));
  await session.query("update webhook.clock set back = interval '5 minutes'");
  await expectAllRecorded(replicas, 60);
  expect(greatestGapMs(replicas.arrivals)).toBeLessThan(10_000);
});

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
  await eventually(() => expect(diedAtMs).toBeLessThan(performance.now()), patience);
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
  await using session = await openSqlSession(replicas.adminUrl);
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
  await using session = await openSqlSession(replicas.adminUrl);
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
  }, patience);
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
  await using session = await openSqlSession(replicas.adminUrl);
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
