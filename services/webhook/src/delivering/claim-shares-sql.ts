import { integers, uuids } from '@parley/postgres/arrays';
import { sql } from 'kysely';

/**
 * Of the deliveries in a CTE `candidate`, those that a claim takes: in the order of their turns, so of the lane that has the
 * fewest under way; last those of workspaces that would have more than `shareMax`, counting what they hold. Of lanes that are
 * not prompt no more than there are slots for them, and what is reserved only goes to workspaces that have few.
 */
export function fairShare({
  slots,
  reserved,
  slowSlots,
  held,
  shareMax,
  fewSlots,
}: {
  slots: number;
  reserved: number;
  slowSlots: number;
  held: ReadonlyMap<string, number>;
  shareMax: number;
  fewSlots: number;
}) {
  return sql`
      select id from (
        select id, place_in_workspace,
          row_number() over (order by place_in_workspace > ${shareMax}, turn, ready_at) as place
        from (
          select candidate.*,
            row_number() over (partition by is_prompt order by turn, ready_at) as place_in_class,
            row_number() over (partition by candidate.workspace_id order by turn, ready_at)
              + coalesce(held.number, 0) as place_in_workspace
          from candidate left join unnest(${uuids([...held.keys()])}::uuid[], ${integers([...held.values()])}::int[])
            as held (workspace_id, number) on held.workspace_id = candidate.workspace_id
          where candidate.blocked_until is null
        ) as placed
        where is_prompt or place_in_class <= ${slowSlots}
      ) as ordered
      where place <= ${slots}::int - case when place_in_workspace > ${fewSlots} then ${reserved}::int else 0 end`;
}
