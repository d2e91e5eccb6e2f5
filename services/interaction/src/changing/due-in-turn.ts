import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';

interface Due {
  /** The column that says since when a row is due. Has an index. */
  dueAt: RawBuilder<unknown>;
  isDue: RawBuilder<unknown>;
  limit: number;
}

/** How many due interactions are ranked from each end. */
const rankedMax = 25_000;

/**
 * Returns the ids of due interactions: the oldest of each workspace, then their second ones. It ranks the oldest 25,000
 * due interactions and the newest 25,000, and returns no others.
 */
export async function listInTurn(db: Kysely<Tables>, { dueAt, isDue, limit }: Due): Promise<string[]> {
  const first = (order: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    (select id, workspace_id, ${dueAt} as due_at from interaction where ${isDue}
    order by ${dueAt} ${order} limit ${sql.lit(rankedMax)})`;
  const { rows } = await sql<{ id: string }>`
    ${acrossWorkspaces('workspaces take turns')}
    select id from (
      select id, due_at, row_number() over (partition by workspace_id order by due_at) as turn
      from (${first(sql`asc`)} union ${first(sql`desc`)}) as due
    ) as ranked
    order by turn, due_at limit ${limit}`.execute(scans(db));
  return rows.map(({ id }) => id);
}
