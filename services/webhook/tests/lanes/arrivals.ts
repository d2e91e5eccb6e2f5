import { eventually } from '@parley/testing/eventually';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { addEvents, type Hook } from './lanes.ts';
import type { Arrival, Replicas } from './replicas.ts';

/** The length of a lease, after which its owner stops. */
export const leaseMs = 4_500;

/** Answers with 200 after a time. */
export const answer = async (afterMs: number) => {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  return { status: 200 };
};

export async function many<Item>(number: number, make: () => Promise<Item>): Promise<Item[]> {
  const made: Item[] = [];
  while (made.length < number) made.push(await make());
  return made;
}

/** Returns the ids of the events for each of the webhooks. */
export async function fill(
  { db, notify }: Replicas,
  hooks: readonly Hook[],
  number: number,
): Promise<Map<string, string[]>> {
  const events = new Map<string, string[]>();
  for (const hook of hooks) events.set(hook.id, await addEvents(db, hook, number));
  notify(hooks);
  return events;
}

export async function idsOfOpen({ db }: Replicas): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from open_delivery`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Waits until nothing is open, then expects that every delivery has one finished row, and each attempt one number. */
export async function expectAllRecorded({ db }: Replicas, deliveries: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql`
      select (select count(*)::int from open_delivery) as open,
        (select count(*)::int from finished_delivery where state = 'succeeded') as succeeded`.execute(db);
    expect(rows).toEqual([{ open: 0, succeeded: deliveries }]);
  });
  const { rows: wrong } = await sql`
    select id, attempts, array(
      select number from every_attempt where delivery_id = delivery.id order by number) as numbers
    from delivery
    where (select count(*) from delivery as same where same.id = delivery.id) > 1
      or array(select number from every_attempt where delivery_id = delivery.id order by number)
        <> array(select generate_series(1, attempts))`.execute(db);
  expect(wrong).toEqual([]);
}

export const ofHook = (arrivals: readonly Arrival[], { id }: Hook): Arrival[] =>
  arrivals.filter(({ webhookId }) => webhookId === id);

/** Returns the earlier arrivals of the given ones. */
export function repeated(arrivals: readonly Arrival[]): Arrival[] {
  const seen = new Set<string>();
  return arrivals.filter(({ deliveryId }) => seen.has(deliveryId) || !seen.add(deliveryId));
}

/** How late an arrival on a busy machine can be. Less than half of a bucket of a second. */
const lateSecondsMax = 0.45;

/** Expects that no period has more arrivals than a token bucket allows. */
export function expectWithinRate(
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

export function greatestGapMs(arrivals: readonly Arrival[]): number {
  return Math.max(...arrivals.slice(1).map(({ atMs }, at) => atMs - (arrivals[at]?.atMs ?? 0)));
}

export function ofReplica(arrivals: readonly Arrival[], name: string): Arrival[] {
  return arrivals.filter(({ replica }) => replica === name);
}
