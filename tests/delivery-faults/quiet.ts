import { eventually } from '@parley/testing/eventually';
import type { SqlSession } from '@parley/testing/sql';
import type { World } from './world.ts';

/** Leases, what the broker lost, the breaker and what has piled up behind it need their time. */
const quietMsMax = 240_000;

/** Waits until nothing is left to do of what was completed. Throws with what is left. */
export async function becomeQuiet(
  world: World,
  completed: readonly string[],
  endsLeasesEarly: boolean,
): Promise<void> {
  await eventually(
    async () => {
      await using sql = await world.openSql();
      if (endsLeasesEarly) await endLeases(sql);
      const [left] = await sql.query<{ open: number; missing: number }>(
        `select (select count(*)::int from webhook.open_delivery) as open,
          (select count(*)::int from unnest($1::uuid[]) as completed (id)
           where not exists (select from webhook.event where event.id = completed.id and received_at is not null)) as missing`,
        [completed],
      );
      if (left?.open === 0 && left.missing === 0) return;
      throw new Error(
        `${left?.missing} events have not come, ${left?.open} deliveries are open: ${await openLanes(sql)}`,
      );
    },
    { timeoutMs: quietMsMax, everyMs: 250 },
  );
}

/**
 * Of 35 seconds (`leaseMs` of the webhook service): no answer takes five, so whoever has it since then is dead, unless it
 * could not record the answer because the database was away.
 */
async function endLeases(sql: SqlSession): Promise<void> {
  await sql.query(
    `with ended as (
       update webhook.open_delivery set lease_end = now()
       where lease_end > now() and lease_end < now() + interval '30 seconds'
         and pg_postmaster_start_time() < now() - interval '5 seconds'
       returning webhook_id
     )
     update webhook.lane set ready_at = greatest(now(), paused_until), lapses_at = now()
     where webhook_id in (select webhook_id from ended)`,
  );
}

async function openLanes(sql: SqlSession): Promise<string> {
  const rows = await sql.query(
    `select lane.*, clock_timestamp() as now, count(*)::int as open, min(due_at) as due_at,
       count(*) filter (where lease_token is not null)::int as held
     from webhook.open_delivery join webhook.lane using (webhook_id) group by lane.webhook_id`,
  );
  return JSON.stringify(rows);
}

/** Lanes that count as under way what is not, or the other way round. Holds at every moment. */
export async function miscountingLanes(world: World): Promise<string[]> {
  await using sql = await world.openSql();
  const rows = await sql.query(
    `select lane.webhook_id, lane.under_way, lane.lapses_at, leased.* from webhook.lane
     left join (
       select webhook_id, count(*)::int as number, min(lease_end) filter (where state = 'pending') as earliest
       from webhook.open_delivery
       where lease_end is not null group by webhook_id
     ) as leased using (webhook_id)
     where lane.under_way <> coalesce(leased.number, 0) or lane.lapses_at > leased.earliest
       or (lane.lapses_at is null and lane.under_way > 0)`,
  );
  return rows.map((row) => `a lane that miscounts: ${JSON.stringify(row)}`);
}

/**
 * Lanes that would forget something: one in which a delivery can be taken, now or later, is looked at by then, unless its
 * receiver or the breaker has it wait, or as much as may be is under way. Holds at every moment.
 */
export async function forgottenLanes(world: World): Promise<string[]> {
  await using sql = await world.openSql();
  const rows = await sql.query(
    `select lane.webhook_id, lane.ready_at, lane.paused_until, lane.is_full, open.*, clock_timestamp() as now from webhook.lane
     join (
       select webhook_id, min(coalesce(lease_end, due_at)) as first, max(lease_end) as lease_end from webhook.open_delivery where state = 'pending' group by webhook_id
     ) as open using (webhook_id)
     where lane.ready_at is null or lane.ready_at > greatest(clock_timestamp(), lane.paused_until, open.first,
       case when lane.is_full then open.lease_end end)`,
  );
  return rows.map((row) => `a lane that forgets: ${JSON.stringify(row)}`);
}
