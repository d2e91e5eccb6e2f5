import { eventually } from '@parley/testing/eventually';
import type { SqlConnection } from '@parley/testing/database/sql';
import type { World } from './world.ts';

/** The time for dead owners, lost events, open breakers and their backlog. */
const quietMsMax = 240_000;

/** Waits until all completions are fully processed. Throws with the rest. */
export async function becomeQuiet(world: World, completed: readonly string[]): Promise<void> {
  await eventually(
    async () => {
      await using sql = await world.openSql();
      const [left] = await sql.query<{ open: number; recovering: number; missing: number }>(
        `select (select count(*)::int from webhook.open_delivery) as open,
          (select count(*)::int from webhook.recovery where state = 'running') as recovering,
          (select count(*)::int from unnest($1::text[]) as completed (id)
           where not exists (select from webhook.event where event.about = completed.id and received_at is not null)) as missing`,
        [completed],
      );
      if (left?.open === 0 && left.recovering === 0 && left.missing === 0) return;
      throw new Error(
        `${left?.missing} events have not arrived, ${left?.open} deliveries are open: ${await openLanes(sql)}`,
      );
    },
    { timeoutMs: quietMsMax, everyMs: 250 },
  );
}

async function openLanes(sql: SqlConnection): Promise<string> {
  const rows = await sql.query(
    `select lane.*, clock_timestamp() as now, count(*)::int as open, min(due_at) as due_at,
       array_agg(distinct claimed_by) as claimed_by, (select array_agg(id) from webhook.replica) as replicas,
       (select owner from webhook.shard where id = get_byte(uuid_send(lane.webhook_id), 15)) as owner
     from webhook.open_delivery join webhook.lane using (webhook_id) group by lane.webhook_id`,
  );
  return JSON.stringify(rows);
}

/** Returns deliveries that wait for an earlier one that does not exist. There must be none at any time. */
export async function forgottenDeliveries(world: World): Promise<string[]> {
  await using sql = await world.openSql();
  const rows = await sql.query(
    `select later.* from webhook.open_delivery as later
     where due_at = 'infinity' and not exists (
       select from webhook.open_delivery as earlier
       where earlier.webhook_id = later.webhook_id and earlier.ordering_key = later.ordering_key and earlier.id < later.id)`,
  );
  return rows.map((row) => `a delivery that waits for no other: ${JSON.stringify(row)}`);
}

/** Returns shards whose owner is neither a live replica, nor one that died within the time limit. */
export async function abandonedShards(world: World): Promise<string[]> {
  return eventually(
    async () => {
      await using sql = await world.openSql();
      const rows = await sql.query(
        'select * from webhook.shard where owner is null or owner not in (select id from webhook.replica)',
      );
      if (rows.length > 0) throw new Error(`shards without an owner: ${JSON.stringify(rows)}`);
      return [];
    },
    { everyMs: 250 },
  ).catch((error: Error) => [error.message]);
}
