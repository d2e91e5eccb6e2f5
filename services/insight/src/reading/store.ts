import { tableOf } from '@parley/postgres/sql/arrays';
import { type RawBuilder, sql } from 'kysely';
import type { Counts } from '../figures/counts.ts';
import { type Outline, outlineForm } from '../figures/outline.ts';
import type { Db, Trx } from '../schema.ts';
import type { Part, Window } from './window.ts';

export interface Selection {
  generation: number;
  workspaceId: string;
  botId: string;
  /** Null: all versions. */
  version: number | null;
}

export interface Sum {
  name: string;
  n: number;
}

/** The sum of a counter on a day: its index. */
export interface DaySum extends Sum {
  day: number;
}

export async function sumHours(trx: Trx, selection: Selection, { from, to }: Window): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    select name, sum(n)::bigint as n
    from figure
    where ${isSelected(selection)} and hour >= ${from} and hour < ${to}
    group by 1`.execute(trx);
  return rows;
}

/** Adds up counters of whole hours by the day in which the hour begins. `midnights` begin all days but the first. */
export async function sumHoursByDay(
  trx: Trx,
  selection: Selection,
  { from, to }: Window,
  { names, midnights }: { names: readonly string[]; midnights: readonly Date[] },
): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    select name, sum(n)::bigint as n, width_bucket(hour, ${midnights}::timestamptz[]) as day
    from figure
    where ${isSelected(selection)} and hour >= ${from} and hour < ${to} and name = any(${names}::text[])
    group by 1, 3`.execute(trx);
  return rows;
}

/** What the interactions of a part of an hour have added to counters. */
export type PartSum = Pick<Part, 'countedOn' | 'belongsTo'> & { counts: Counts };

/** Adds up contributions of parts of hours: to the counters of these names, or to all. */
export async function sumParts(
  trx: Trx,
  selection: Selection,
  parts: readonly Part[],
  names?: readonly string[],
): Promise<PartSum[]> {
  if (parts.length === 0) return [];
  const counters = names ? sql`unnest(${names}::text[])` : sql`jsonb_object_keys(counts)`;
  // A subquery in the select list runs once for each part. For a join, the planner would read all contributions.
  const { rows } = await sql<PartSum>`
    select part.counted_on, part.belongs_to, (
      select coalesce(jsonb_object_agg(total.name, total.n), '{}') from (
        select counter.name, sum((counts ->> counter.name)::bigint) as n
        from contribution cross join ${counters} as counter (name)
        where ${isSelected(selection)} and created_at >= part.begins_at and created_at < part.ends_at
          and counts ? counter.name
        group by 1) as total) as counts
    from ${tableOf('part', parts, {
      beginsAt: ['timestamptz', ({ beginsAt }) => beginsAt],
      endsAt: ['timestamptz', ({ endsAt }) => endsAt],
      countedOn: ['int', ({ countedOn }) => countedOn],
      belongsTo: ['int', ({ belongsTo }) => belongsTo],
    })}`.execute(trx);
  return rows;
}

function isSelected({ generation, workspaceId, botId, version }: Selection): RawBuilder<boolean> {
  return sql`
    generation = ${generation} and workspace_id = ${workspaceId}::uuid and bot_id = ${botId}::uuid
    and (${version}::int is null or bot_version = ${version})`;
}

export interface BotRef {
  workspaceId: string;
  botId: string;
}

/** Returns the stored outline of this version, or else of the newest one before it that has one. */
export async function loadOutline(
  db: Db,
  { workspaceId, botId }: BotRef,
  version: number,
): Promise<{ version: number; outline: Outline } | undefined> {
  return db
    .selectFrom('botVersion')
    .select(['version', 'outline'])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where('version', '<=', version)
    .where(sql`outline ->> 'form'`, '=', String(outlineForm))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Replaces one of another form. */
export async function storeOutline(
  db: Db,
  { workspaceId, botId }: BotRef,
  version: number,
  outline: Outline,
): Promise<void> {
  await db
    .insertInto('botVersion')
    .values({ workspaceId, botId, version, outline: JSON.stringify(outline) })
    .onConflict((conflict) =>
      conflict
        .columns(['botId', 'version'])
        .doUpdateSet(({ ref }) => ({ outline: ref('excluded.outline') }))
        .where('botVersion.workspaceId', '=', workspaceId),
    )
    .execute();
}
