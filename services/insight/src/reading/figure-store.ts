import { tableOf } from '@parley/postgres/arrays';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../schema.ts';
import type { Part } from './parts.ts';
import type { Window } from './window.ts';

/** Which counters are read. */
export interface Selection {
  generation: number;
  workspaceId: string;
  botId: string;
  /** Null: all versions. */
  version: number | null;
}

/** The sum of a counter on a day. */
interface Sum {
  name: string;
  n: number;
  /** The index of the day. */
  day: number;
}

/** The counters that are read by day. */
export interface Daily {
  names: readonly string[];
  /** When each day but the first begins. */
  midnights: readonly Date[];
}

/** Adds up the counters of whole hours: those of `daily` by the day in which their hour begins, others for all days. */
export async function sumHours(
  trx: Trx,
  selection: Selection,
  { from, to }: Window,
  { names, midnights }: Daily,
): Promise<(Omit<Sum, 'day'> & { day: number | null })[]> {
  const { rows } = await sql<Omit<Sum, 'day'> & { day: number | null }>`
    select name, sum(n)::bigint as n,
      case when name = any(${names}::text[]) then width_bucket(hour, ${midnights}::timestamptz[]) end as day
    from figure
    where ${isSelected(selection)} and hour >= ${from} and hour < ${to}
    group by 1, 3`.execute(trx);
  return rows;
}

/** Adds up the contributions of parts of hours, by their days. */
export async function sumParts(trx: Trx, selection: Selection, parts: readonly Part[]): Promise<Sum[]> {
  if (parts.length === 0) return [];
  const { rows } = await sql<Sum>`
    select added.name, sum(added.n::bigint)::bigint as n, part.day
    from ${tableOfParts(parts)}
    join contribution on created_at >= part.begins_at and created_at < part.ends_at
    cross join jsonb_each_text(contribution.counts) as added (name, n)
    where ${isSelected(selection)}
    group by 1, 3`.execute(trx);
  return rows;
}

/** The same for some counters. */
export async function sumPartsOf(
  trx: Trx,
  selection: Selection,
  parts: readonly Part[],
  names: readonly string[],
): Promise<Sum[]> {
  if (parts.length === 0) return [];
  const { rows } = await sql<Sum>`
    select wanted.name, sum((contribution.counts ->> wanted.name)::bigint)::bigint as n, part.day
    from ${tableOfParts(parts)}
    join contribution on created_at >= part.begins_at and created_at < part.ends_at
    join unnest(${names}::text[]) as wanted (name) on contribution.counts ? wanted.name
    where ${isSelected(selection)}
    group by 1, 3`.execute(trx);
  return rows;
}

function isSelected({ generation, workspaceId, botId, version }: Selection): RawBuilder<boolean> {
  return sql`
    generation = ${generation} and workspace_id = ${workspaceId}::uuid and bot_id = ${botId}::uuid
    and (${version}::int is null or bot_version = ${version})`;
}

function tableOfParts(parts: readonly Part[]): RawBuilder<unknown> {
  return tableOf('part', parts, {
    day: ['int', ({ day }) => day],
    beginsAt: ['timestamptz', ({ beginsAt }) => beginsAt],
    endsAt: ['timestamptz', ({ endsAt }) => endsAt],
  });
}
