import type { Retention } from '@parley/contracts/common/v1/common';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { NIL } from 'uuid';
import type { Status, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

/** The statuses that a number of days is about. */
const statusesOf = {
  completedDays: ['Completed'],
  endedDays: ['Expired', 'InProgress'],
  draftDays: ['Draft', 'Pending'],
} as const satisfies Record<keyof Retention, readonly Status[]>;

const names = ['completedDays', 'endedDays', 'draftDays'] as const;

/** The statuses with the numbers of days, in the order of the pages. */
const rules = names.flatMap((name) => statusesOf[name].map((status) => ({ name, status })));

interface Outdated {
  id: string;
  changedAt: Date;
}

/** In the order of the list. */
export function limitedStatuses(
  retention: Retention,
): { name: keyof Retention; status: Status; days: number }[] {
  return rules.flatMap((rule) => {
    const days = retention[rule.name];
    return typeof days === 'number' ? [{ ...rule, days }] : [];
  });
}

/** Oldest change first. */
export async function listOutdatedOf(
  db: Db,
  workspaceId: string,
  { status, days }: { status: Status; days: number },
  after: { changedAt: Date; id: string } | undefined,
  limit: number,
): Promise<Outdated[]> {
  const { rows } = await sql<Outdated>`
    select id, updated_at as changed_at from interaction
    where workspace_id = ${workspaceId} and status = ${status} and updated_at < ${daysAgo(sql`${days}::int`)}
      and (updated_at, id) > (${after?.changedAt ?? new Date(0)}::timestamptz, ${after?.id ?? NIL}::uuid)
    order by updated_at, id limit ${sql.lit(limit)}`.execute(scans(db));
  return rows;
}

/** Limited to one status. */
export async function countOutdatedOf(
  db: Db,
  workspaceId: string,
  { status, days }: { status: Status; days: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from interaction
    where workspace_id = ${workspaceId} and status = ${status}
      and updated_at < ${daysAgo(sql`${days}::int`)}`.execute(scans(db));
  return rows[0]?.count ?? 0;
}

/**
 * SQL that is true for a row of `interaction` whose time is over, and whose events have all got their places in the
 * log: consumers can ask only for such events.
 */
export function isOutdated({ completedDays, endedDays, draftDays }: Retention): RawBuilder<boolean> {
  const days = sql`case when status = 'Completed' then ${completedDays ?? null}::int
        when status in ('Expired', 'InProgress') then ${endedDays ?? null}::int else ${draftDays ?? null}::int end`;
  return sql<boolean>`updated_at < ${daysAgo(days)} and not exists (
          select from event_log
          where event_log.workspace_id = interaction.workspace_id and position is null
            and about = interaction.id::text)`;
}

/** Null for null. */
function daysAgo(days: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`now() - make_interval(days => ${days})`;
}
