import type { SqlConnection } from '@parley/testing/database/sql';
import { expect, test } from 'vitest';
import { retryDelivery } from '../../src/controls/controls-store.ts';
import { recoverPage } from '../../src/controls/recovery-store.ts';
import {
  deliveriesOfInteraction,
  findDelivery,
  listAttempts,
  listDeliveries,
} from '../../src/log/log-store.ts';
import { readStats } from '../../src/log/stats-store.ts';
import { call, type Controls, of, startControls } from '../controls.ts';
import { addHook, type Hook } from '../lanes/lanes.ts';
import { readsOf, withoutStatistics } from './reads.ts';

// The cost of reading the log depends neither on its length nor on Postgres' statistics.

const states = ['pending', 'succeeded', 'failed', 'skipped', 'discarded'];
const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 3_600_000);

/** This many finished deliveries of each of the last three days, in one state, with an attempt each. */
async function addLog(session: SqlConnection, hook: Hook, number: number, state: string): Promise<void> {
  await session.query(
    `insert into finished_delivery
       (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at, finished_at)
     select uuidv7(age), $1, $2, uuidv7(), $4, 1, false, now() + age, now() + age
     from (select - (n % 3) * interval '1 day' - n * interval '1 millisecond' as age from generate_series(1, $3) as n)`,
    [hook.workspaceId, hook.id, number, state],
  );
}

interface Hooks {
  well: Hook;
  badly: Hook;
  fresh: Hook;
}

/** Fills the log and the backlog. The rows in `fresh` follow after an `analyze`, if there is one. */
async function fill({ db, session }: Controls, { isKnown }: { isKnown: boolean }): Promise<Hooks> {
  await session.query(`
    select make_partition(parent, ((now() at time zone 'utc')::date - days))
    from generate_series(0, 30) as days, unnest(array['finished_delivery', 'attempt']) as parent`);
  await withoutStatistics(session);
  const [well, badly, fresh] = [await addHook(db), await addHook(db), await addHook(db)];
  await addLog(session, well, 9_000, 'succeeded');
  await addLog(session, well, 30, 'failed');
  await addLog(session, badly, 9_000, 'failed');
  await addLog(session, badly, 30, 'succeeded');
  await session.query(
    `insert into event (id, workspace_id, name, about, customer_id, status, data, extra, result,
       received_at)
     select event_id, workspace_id, 'InteractionCompleted', uuidv7()::text, 'c', 'Completed', '{}', '{}', '{}',
       finished_at from finished_delivery`,
  );
  await session.query(
    `insert into attempt (delivery_id, number, workspace_id, recorded_at, started_at, duration_ms)
     select id, 1, workspace_id, finished_at, finished_at, 1 from finished_delivery`,
  );
  await session.query(
    `insert into open_delivery (id, workspace_id, webhook_id, event_id, due_at)
     select uuidv7(), $1, $2, uuidv7(), now() + (random() - 0.5) * interval '1 day' from generate_series(1, 10500)`,
    [badly.workspaceId, badly.id],
  );
  if (isKnown) await session.query('vacuum analyze');
  await addLog(session, fresh, 9_000, 'failed');
  return { well, badly, fresh };
}

test.each([
  ['was never analyzed', false],
  ['was analyzed before the last rows', true],
])(
  'lists, retries, recoveries and statistics read few rows of a log and a backlog that %s',
  async (_, isKnown) => {
    await using controls = await startControls();
    const { db, session, client } = controls;
    const { well, badly, fresh } = await fill(controls, { isKnown });

    const passes = 4;
    const filters = [
      {},
      ...states.map((state) => ({ states: [state] })),
      { states: ['failed', 'skipped'] },
      { since: daysAgo(1.5), until: daysAgo(0.5) },
      { until: daysAgo(2.5), states: ['failed'] },
    ];
    for (const hook of [well, badly, fresh]) {
      for (const filter of filters) {
        const listing = await readsOf(controls, session, async (own) => {
          let beforeId: string | null = null;
          for (let pass = 0; pass < passes; pass += 1) {
            const wanted = { ...of(hook), states, since: null, until: null, ...filter };
            const page = await listDeliveries(own, { ...wanted, beforeId }, 50);
            beforeId = page.at(-1)?.id ?? null;
          }
        });
        expect([filter, listing.scans]).toEqual([filter, 0]);
        // At most 51 of each of the five kinds, and the event and the last attempt of each shown one.
        expect([filter, listing.rows < passes * 7 * 51]).toEqual([filter, true]);
      }
    }

    const found = await session.query<{ eventId: string }>(
      `(select event_id as "eventId" from finished_delivery where webhook_id = $1 limit ${passes})
     union all (select event_id from open_delivery where webhook_id = $1 limit ${passes})
     union all select uuidv7()`,
      [badly.id],
    );
    for (const hook of [well, badly, fresh]) {
      const listing = await readsOf(controls, session, async (own) => {
        for (const { eventId } of found) {
          const wanted = { ...of(hook), states, since: null, until: null, beforeId: null, eventId };
          expect(await listDeliveries(own, wanted, 50)).toHaveLength(
            Number(hook === badly && eventId !== found.at(-1)?.eventId),
          );
        }
      });
      expect(listing.scans).toBe(0);
      expect(listing.rows).toBeLessThanOrEqual(found.length * 4);
    }

    const ofFinished = await session.query<{ interactionId: string }>(
      `select about as "interactionId" from event where id in (
         select event_id from finished_delivery where webhook_id = $1 limit ${passes})`,
      [badly.id],
    );
    for (const hook of [well, badly, fresh]) {
      const listing = await readsOf(controls, session, async (own) => {
        for (const { interactionId } of ofFinished) {
          const wanted = { ...of(hook), states, since: null, until: null, beforeId: null, interactionId };
          expect(await listDeliveries(own, wanted, 50)).toHaveLength(Number(hook === badly));
        }
      });
      expect(listing.scans).toBe(0);
      expect(listing.rows).toBeLessThanOrEqual(ofFinished.length * 7);
    }
    const ofAll = await readsOf(controls, session, async (own) => {
      for (const { interactionId } of ofFinished) {
        const interaction = { workspaceId: badly.workspaceId, interactionId };
        expect(await deliveriesOfInteraction(own, interaction, null, 50)).toHaveLength(1);
      }
    });
    expect(ofAll.scans).toBe(0);
    expect(ofAll.rows).toBeLessThanOrEqual(ofFinished.length * 8);

    const [one] = await listDeliveries(
      db,
      { ...of(badly), states: ['failed'], since: null, until: daysAgo(1), beforeId: null },
      1,
    );
    if (!one) throw new Error('nothing has failed');
    const looking = await readsOf(controls, session, async (own) => {
      for (let pass = 0; pass < passes; pass += 1) {
        expect(await findDelivery(own, of(badly), one.id)).toEqual(one);
        expect(
          await listAttempts(own, of(badly), one.id, { number: 0, startedAt: new Date(0) }, 20),
        ).toHaveLength(1);
      }
    });
    expect(looking).toEqual({ scans: 0, rows: expect.any(Number) });
    expect(looking.rows).toBeLessThan(passes * 10);

    const counting = await readsOf(controls, session, async (own) => {
      for (let pass = 0; pass < passes; pass += 1) {
        expect(await readStats(own, of(badly))).toMatchObject({ pending: 10_000 });
      }
    });
    expect(counting.scans).toBe(0);
    expect(counting.rows).toBeLessThanOrEqual(passes * 10_010);

    const retrying = await readsOf(controls, session, async (own) => {
      const failures = await listDeliveries(
        own,
        { ...of(well), states: ['failed'], since: null, until: null, beforeId: null },
        passes,
      );
      for (const { id } of failures.slice(0, passes)) {
        expect(await retryDelivery(own, of(well), id)).toMatchObject({ state: 'pending' });
      }
    });
    expect(retrying.scans).toBe(0);
    expect(retrying.rows).toBeLessThan(passes * 100);

    await client.startRecovery(
      { ...of(badly), since: daysAgo(20), until: null, states: [], idempotency: null },
      call,
    );
    const recovering = await readsOf(controls, session, async (own) => {
      for (let pass = 0; pass < passes; pass += 1) {
        await session.query('update recovery set next_at = now()');
        expect(await recoverPage(own)).toBe(badly.id);
      }
    });
    expect(recovering.scans).toBe(0);
    expect(recovering.rows).toBeLessThan(passes * 500 * 8);
  },
);
