import { scans } from '@parley/postgres/dialect';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { History } from './completion.ts';

/** A completed interaction; with null ids if there is none. */
export type Completed = (History | (Record<keyof History, null> & { id: null })) & {
  /** Details of the customer from before this version are not in it. */
  customerVersion: number;
};

/**
 * Returns completed interactions, in the given order: the first ones with at most `bytesMax` of JSON in all, but at
 * least one.
 */
export async function loadCompleted(
  db: Kysely<Tables>,
  asked: readonly { workspaceId: string; interactionId: string }[],
  bytesMax: number,
): Promise<Completed[]> {
  const { rows } = await sql<Completed>`
    select id, customer_id, evaluation, transcript, customer_version from (
      select asked.position, interaction.id, customer_id, evaluation, transcript,
        coalesce(greatest(redacted_version, fence_version), 0) as customer_version,
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
  return rows;
}
