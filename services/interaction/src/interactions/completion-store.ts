import { scans } from '@parley/postgres/dialect';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { History } from './completion.ts';

/**
 * Returns the histories of completed interactions, in the given order; null where there is none. Returns the first ones
 * with at most `bytesMax` of JSON in all, but at least one.
 */
export async function loadCompleted(
  db: Kysely<Tables>,
  asked: readonly { workspaceId: string; interactionId: string }[],
  bytesMax: number,
): Promise<(History | null)[]> {
  const { rows } = await sql<History | (Record<keyof History, null> & { id: null })>`
    select id, customer_id, evaluation, transcript from (
      select asked.position, interaction.id, customer_id, evaluation, transcript,
        sum(bytes) over (order by asked.position) as bytes
      from unnest(
        ${asked.map((one) => one.workspaceId)}::uuid[],
        ${asked.map((one) => one.interactionId)}::uuid[]
      ) with ordinality as asked (workspace_id, id, position)
      left join interaction on interaction.workspace_id = asked.workspace_id and interaction.id = asked.id
        and interaction.status = 'Completed'
    ) as found
    where position = 1 or bytes is null or bytes <= ${bytesMax}
    order by position`.execute(scans(db));
  return rows.map((row) => (row.id === null ? null : row));
}
