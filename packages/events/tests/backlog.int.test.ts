import { interactionCompleted, stream } from '@parley/contracts/events';
import { oldestEventSeconds } from '@parley/events/outbox';
import { eventIdHeader, eventsMax } from '@parley/events/stream';
import { unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { event, events, startPipeline, type Pipeline } from './pipeline.ts';

const batchMax = 500;

/** The reads and writes of the outbox so far, as Postgres counts them. */
async function counters({ admin }: Pipeline) {
  // A connection reports its counts when it ends.
  await admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await admin.query('select pg_stat_clear_snapshot()');
  const [row] = await admin.query<Record<'scans' | 'read' | 'written', number>>(
    `select seq_scan::int as scans, (seq_tup_read + idx_tup_fetch)::int as read,
      (n_tup_upd + n_tup_del)::int as written
     from pg_stat_user_tables where relname = 'outbox'`,
  );
  if (!row) throw new Error('there is no outbox');
  return row;
}

/** Rows of unconfirmed completions, as many as after a busy day. */
async function pileUp({ admin }: Pipeline, rows: number, publishedAt: string): Promise<void> {
  // The payload is only the message's first field, of 36 bytes.
  await admin.query(
    `insert into interaction.outbox (event_id, workspace_id, nats_subject, payload, created_at, published_at)
     select id, id, $2, decode('0a24', 'hex') || convert_to(id::text, 'UTF8'),
       now() - interval '1 day' + n * interval '1 millisecond', ${publishedAt}
     from (select n, uuidv7() as id from generate_series(1, $1::int) as n) as completion`,
    [rows, interactionCompleted.subject],
  );
}

test('with 20,000 unconfirmed events, a round costs one batch, without scans and writes', async () => {
  await using system = await startPipeline();
  await pileUp(system, 20_000, `now() - interval '1 hour' + n * interval '1 millisecond'`);
  system.onQuestion = () => {
    throw unavailable('the receiver is unavailable');
  };
  const reconciliation = system.startReconciliation();
  await eventually(() => expect(system.asked).toHaveLength(1));
  const before = await counters(system);
  const rounds = 10;
  for (let round = 2; round <= rounds; round += 1) {
    reconciliation.wake();
    await eventually(() => expect(system.asked).toHaveLength(round));
  }
  expect(system.asked.every((ids) => ids.length === batchMax)).toBe(true);
  const during = await counters(system);
  expect(during.scans).toBe(before.scans);
  expect(during.written).toBe(before.written);
  expect(during.read - before.read).toBeLessThanOrEqual(rounds * batchMax);

  for (const { eventId } of await system.outbox()) system.held.add(eventId);
  const scans = (await counters(system)).scans;
  system.asked = [];
  system.onQuestion = () => {};
  reconciliation.wake();
  await eventually(() => expect(system.asked.flat()).toHaveLength(20_000), { timeoutMs: 60_000 });
  await eventually(async () => expect(await system.outbox()).toEqual([]));
  expect(system.asked.length).toBeLessThanOrEqual(41);
  expect((await counters(system)).scans).toBeLessThanOrEqual(scans + 2);
});

test('while the stream is full, events wait in the outbox, and then all arrive once', async () => {
  await using system = await startPipeline();
  const beyond = 1_000;
  const relay = system.startRelay();
  // The last batch does not fit completely. This many are left only after the relay has found the stream
  // full.
  const first = 100;
  await system.raise(events(first));
  relay.wake();
  await system.onTheBus(first);
  await pileUp(system, eventsMax - first + beyond, 'null');
  relay.wake();
  await system.onTheBus(eventsMax, 30_000);
  const unpublished = async (): Promise<number> =>
    (await system.outbox()).filter(({ publishedAt }) => publishedAt === null).length;
  await eventually(async () => expect(await unpublished()).toBe(beyond));

  const before = await counters(system);
  for (let round = 1; round <= 10; round += 1) {
    relay.wake();
    await system.onTheBus(eventsMax);
  }
  // The rows that were claimed and released when the stream was found to be full, and nothing since.
  expect((await counters(system)).written - before.written).toBeLessThanOrEqual(2 * batchMax);

  const late = event();
  await system.raise([late]);
  await system.startConsumer();
  await eventually(() => expect(system.handled).toHaveLength(eventsMax + beyond + 1));
  expect(new Set(system.handled).size).toBe(system.handled.length);
  expect(await unpublished()).toBe(0);
});

test('a new event is sent in the next batch, whatever the length of the backlog', async () => {
  await using system = await startPipeline();
  await pileUp(system, 5_000, 'null');
  const late = event();
  await system.raise([late]);
  const { streams } = (await system.streams()).manager;
  system.startRelay();
  await system.onTheBus(5_001);
  const sent = await Promise.all(
    Array.from({ length: batchMax }, (_, index) => streams.getMessage(stream.name, { seq: index + 1 })),
  );
  const ids = sent.map((message) => message?.header.get(eventIdHeader));
  expect(ids).toContain(late.interactionId);
});

describe('the age of the oldest event', () => {
  let system: Pipeline;
  beforeAll(async () => {
    system = await startPipeline();
  });
  afterAll(() => system[Symbol.asyncDispose]());

  test('covers unpublished and unconfirmed events', async () => {
    const { db, admin } = system;
    expect(await oldestEventSeconds(db)).toBe(0);
    await system.raise([event(), event()]);
    expect(await oldestEventSeconds(db)).toBeLessThan(60);
    const [first] = await system.outbox();
    const setOf = (change: string) =>
      admin.query(`update interaction.outbox set ${change} where event_id = $1`, [first?.eventId]);
    await setOf(`created_at = now() - interval '90 seconds'`);
    expect(await oldestEventSeconds(db)).toBeGreaterThanOrEqual(90);
    await setOf(`published_at = now() - interval '10 seconds'`);
    expect(await oldestEventSeconds(db)).toBeGreaterThanOrEqual(90);
    await admin.query('delete from interaction.outbox where event_id = $1', [first?.eventId]);
    expect(await oldestEventSeconds(db)).toBeLessThan(60);
  });

  test('costs two rows, for any number of events', async () => {
    await pileUp(system, 20_000, `now() - interval '1 hour' + n * interval '1 millisecond'`);
    await pileUp(system, 20_000, 'null');
    await system.admin.query('vacuum analyze interaction.outbox');
    const before = await counters(system);
    const times = 10;
    for (let time = 0; time < times; time += 1) {
      expect(await oldestEventSeconds(system.db)).toBeGreaterThan(23 * 60 * 60);
    }
    const after = await counters(system);
    expect(after.scans).toBe(before.scans);
    expect(after.read - before.read).toBeLessThanOrEqual(2 * times);
  });
});
