import { type Kysely, sql } from 'kysely';
import type { Talk } from './completion.ts';
import type { Tables } from './schema.ts';

/**
 * The talks of completed interactions, in the order asked for and null where there is none: of the first ones only, so
 * that they have at most `bytesMax` of JSON together, but of one at least.
 */
export async function loadCompleted(
  db: Kysely<Tables>,
  asked: readonly { workspaceId: string; interactionId: string }[],
  bytesMax: number,
): Promise<(Talk | null)[]> {
  const { rows } = await sql<Talk | (Record<keyof Talk, null> & { id: null })>`
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
    order by position`.execute(db);
  return rows.map((row) => (row.id === null ? null : row));
}
