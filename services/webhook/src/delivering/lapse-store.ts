import { uuids } from '@parley/postgres/arrays';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { cap } from './lane-cap-sql.ts';

/** Leases that have run out are looked for among so many of a lane's due deliveries: those taken are in front, but for ties. */
const leasedWithin = 256;
/** In so many lanes at once; what is in others, the next claim comes upon again. */
const lanesAtOnce = 64;

/**
 * Gives back what workers had whose leases have run out, in lanes that are ready and whose `lapses_at` is over, and counts
 * anew what is under way there, in 64 lanes at most; never waits for one. Answers in how many: what is there can be claimed at once.
 */
export async function giveBackLapsed(
  db: Kysely<Tables>,
  webhookIds: readonly string[],
  leaseMs: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    ${acrossWorkspaces('workers take over from those that are dead')}
    with lapsed as materialized (
      select webhook_id, xmin as version, next_token_at, ${cap} as cap
      from lane where webhook_id = any(${uuids(webhookIds.slice(0, lanesAtOnce))}::uuid[]) and lapses_at <= now()
        -- Paused meanwhile, or being ended, it is looked at when it is ready again.
        and ready_at <= now()
      order by webhook_id for update skip locked
    ), first as materialized (
      -- What was taken was due before all that was not. Lanes as in a claim: only where the row is the one that is seen.
      select lapsed.webhook_id, due.* from lapsed
      join lane as seen on seen.webhook_id = lapsed.webhook_id and seen.xmin = lapsed.version
      cross join lateral (
        select id, state, lease_end from open_delivery
        where webhook_id = lapsed.webhook_id and due_at <= now()
        order by due_at limit ${leasedWithin}
      ) as due
    ), given_back as (
      update open_delivery set lease_token = null, lease_end = null
      where id = any(array(select first.id from first where state = 'pending' and lease_end <= now()))
    ), counted as (
      -- What is seen, whatever the lane says: so a count that is wrong is so for the time of a lease at most.
      select lapsed.webhook_id, lapsed.cap, lapsed.next_token_at,
        (count(*) filter (where state <> 'pending' or lease_end > now()))::int as under_way,
        coalesce(min(lease_end) filter (where lease_end > now()), case
          when count(*) = ${leasedWithin} or bool_or(state <> 'pending')
            then now() + ${leaseMs} * interval '1 millisecond' end) as lapses_at
      from lapsed join lane as seen on seen.webhook_id = lapsed.webhook_id and seen.xmin = lapsed.version
      left join first on first.webhook_id = lapsed.webhook_id
      group by lapsed.webhook_id, lapsed.cap, lapsed.next_token_at
    )
    update lane set
      is_full = counted.under_way >= counted.cap,
      under_way = counted.under_way,
      lapses_at = counted.lapses_at,
      ready_at = case
        when counted.under_way < counted.cap then greatest(now(), counted.next_token_at) else counted.lapses_at end
    from counted where lane.webhook_id = counted.webhook_id`.execute(db);
  return Number(numAffectedRows ?? 0);
}
