import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, test } from 'vitest';
import {
  answer,
  expectAllRecorded,
  expectWithinRate,
  fill,
  greatestGapMs,
  many,
  ofHook,
  repeated,
} from './arrivals.ts';
import { startReplicas } from './replicas.ts';

// How soon deliveries continue: that depends on the speed of the machine.

/** Less than what is left of a lease that was renewed a second ago: only what was handed over continues by then. */
const handOverMsMax = 3_000;

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
    });
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
  await using connection = await openSqlConnection(replicas.adminUrl);
  // Shadows the clock for new connections.
  await connection.query(`
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
  await connection.query("update webhook.clock set back = interval '5 minutes'");
  await expectAllRecorded(replicas, 60);
  expect(greatestGapMs(replicas.arrivals)).toBeLessThan(10_000);
});
