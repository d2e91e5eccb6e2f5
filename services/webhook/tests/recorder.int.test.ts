import { createLogger } from '@parley/runtime/logger';
import { eventually } from '@parley/testing/eventually';
import { openSqlSession } from '@parley/testing/sql';
import { expect, test, vi } from 'vitest';
import { startRecording } from '../src/delivering/recorder.ts';
import { addEvents, addHook, claim, createStore, outcome } from './lanes.ts';

test.each([
  ['first', 0],
  ['last', 5],
])(
  'a result that cannot be recorded is found by halves of its batch, and the others are recorded (%s)',
  async (_, at) => {
    await using store = await createStore();
    await using session = await openSqlSession(store.adminUrl);
    const { db } = store;
    await addEvents(db, await addHook(db, { inFlightMax: 6 }), 6);
    const outcomes = (await claim(db)).map((delivery) => outcome(delivery));
    const broken = outcomes[at]?.delivery.id ?? 'none';
    await session.query(`
    create function webhook.refuse() returns trigger language plpgsql as $$
    begin
      if new.id = '${broken}' then raise exception 'refused by a test'; end if;
      return new;
    end $$;
    create trigger refuse before insert on webhook.finished_delivery
      for each row execute function webhook.refuse()`);
    const logger = createLogger('test', 'silent');
    const lines = [vi.spyOn(logger, 'warn'), vi.spyOn(logger, 'debug')];
    const recorded: string[] = [];
    let refusals = 0;
    await using recorder = startRecording({
      db,
      logger,
      onRecorded: (batch) => {
        recorded.push(...batch.map(({ delivery }) => delivery.id));
        refusals = lines
          .flatMap(({ mock }) => mock.calls)
          .filter(([, message]) => message === 'round failed').length;
      },
    });
    for (const one of outcomes) recorder.add(one);
    const others = outcomes.map(({ delivery }) => delivery.id).filter((id) => id !== broken);
    await eventually(() => expect(recorded.toSorted()).toEqual(others.toSorted()));
    // Of six: three, two, one; and once more among the others when it has gone to the end.
    expect(refusals).toBeLessThanOrEqual(5);
    expect(refusals).toBeGreaterThan(0);
  },
);
