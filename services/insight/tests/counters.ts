import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, sql } from 'kysely';
import type { Counts } from '../src/figures/counts.ts';
import type { FigureTable, Tables } from '../src/schema.ts';

/** Returns all counters of the live generation, by the names of `recount`. */
export async function countersOf(db: Kysely<Tables>): Promise<Counts> {
  const { rows } = await sql<FigureTable>`
    ${acrossWorkspaces('a test counts everything')}
    select bot_id, bot_version, hour, name, n from figure
    where generation = (select id from generation where state = 'live')`.execute(db);
  return Object.fromEntries(
    rows.map(({ botId, botVersion, hour, name, n }) => [
      `${botId} ${botVersion} ${hour.toISOString().slice(0, 13)} ${name}`,
      n,
    ]),
  );
}
