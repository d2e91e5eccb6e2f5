import { expect, test } from 'vitest';
import { deliveriesOfInteraction, listDeliveries } from '../../src/log/log-store.ts';
import { of, startControls } from '../controls.ts';
import { addHook } from '../lanes/lanes.ts';
import { readsOf, withoutStatistics } from './reads.ts';

const events = 700;

test('a page of the deliveries of an interaction reads no more of its events than it needs', async () => {
  await using controls = await startControls();
  const { db, session } = controls;
  await session.query(`
    select make_partition(parent, ((now() at time zone 'utc')::date - days))
    from generate_series(0, 10) as days, unnest(array['finished_delivery', 'attempt']) as parent`);
  await withoutStatistics(session);
  const interactionId = '01890000-0000-7000-8000-0000000000aa';
  const hook = await addHook(db);
  const { workspaceId } = hook;
  const hooks = [hook, await addHook(db, { workspaceId }), await addHook(db, { workspaceId })];
  // Rows of others, so that reads are counted.
  const add = (about: string, number: number) =>
    session.query(
      `insert into event (id, workspace_id, name, about, customer_id, status, data, extra, received_at)
       select uuidv7(age), $1, 'InteractionUpdated', $2, 'c', 'Pending', '{}', '{}', now() + age
       from (select - n * interval '3 minutes' as age from generate_series(1, $3) as n)`,
      [hook.workspaceId, about, number],
    );
  await add(interactionId, events);
  await add('j', 2_000);
  for (const { id } of hooks) {
    await session.query(
      `insert into finished_delivery
         (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at, finished_at)
       select uuidv7(received_at - now()), $1, $2, id, 'failed', 1, false, received_at, received_at from event
       where about = $3 or random() < 0.5`,
      [hook.workspaceId, id, interactionId],
    );
  }
  const pageOf = (own: typeof db, beforeId: string | null) =>
    deliveriesOfInteraction(own, { workspaceId, interactionId }, beforeId, 51);
  const found: string[] = [];
  for (let page = await pageOf(db, null); ; page = await pageOf(db, found.at(-1) ?? null)) {
    found.push(...page.slice(0, 50).map(({ id }) => id));
    if (page.length <= 50) break;
  }
  expect(found).toEqual(found.toSorted().toReversed());
  expect(new Set(found).size).toBe(events * 3);

  const reads = await readsOf(controls, session, async (own) => {
    expect(await pageOf(own, null)).toHaveLength(51);
    expect(await pageOf(own, found[1_000] ?? null)).toHaveLength(51);
    const filters = {
      ...of(hook),
      states: ['failed'],
      since: null,
      until: null,
      beforeId: null,
      interactionId,
    };
    expect(await listDeliveries(own, filters, 50)).toHaveLength(51);
  });
  expect(reads.scans).toBe(0);
  // The places of all events, the deliveries of a hundred, and some rows for each shown one.
  expect(reads.rows).toBeLessThan(3 * (events + 100 * 3 + 51 * 8));
});
