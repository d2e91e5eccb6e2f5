import { tableOf, uuids } from '@parley/postgres/arrays';
import { reads } from '@parley/postgres/dialect';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Selectable, sql } from 'kysely';
import type { ContributionTable, Db, Trx } from '../schema.ts';

/** A row of the table. */
export type Contribution = Selectable<ContributionTable>;

/** What a row has before it was counted. */
export type Uncounted = Pick<Contribution, 'interactionId' | 'workspaceId' | 'botId' | 'createdAt'>;

const ofBatch = acrossWorkspaces('a batch has interactions of all workspaces');

/**
 * Locks the contributions of interactions in these generations until the end of the transaction, and returns them.
 * Inserts those that are missing, with version 0 and no counts. Rows are always locked in the same order, so concurrent
 * batches cannot wait for each other.
 */
export async function lockContributions(
  trx: Trx,
  generations: readonly number[],
  interactions: readonly Uncounted[],
): Promise<Contribution[]> {
  const rows = tableOf('uncounted', interactions, {
    interactionId: ['uuid', (row) => row.interactionId],
    workspaceId: ['uuid', (row) => row.workspaceId],
    botId: ['uuid', (row) => row.botId],
    createdAt: ['timestamptz', (row) => row.createdAt],
  });
  await sql`
    ${ofBatch}
    insert into contribution (
      generation, interaction_id, workspace_id, bot_id, bot_version, created_at, version, is_stalled, is_open, counts)
    select generation, interaction_id, workspace_id, bot_id, 0, created_at, 0, false, false, '{}'
    from unnest(${generations}::int[]) as generation, ${rows}
    order by generation, interaction_id
    on conflict do nothing`.execute(trx);
  const ids = uuids(interactions.map(({ interactionId }) => interactionId));
  const { rows: locked } = await sql<Contribution>`
    ${ofBatch}
    select generation, interaction_id, workspace_id, bot_id, bot_version, created_at, version, is_stalled, is_open,
      deleted_at, counts
    from contribution where generation = any(${generations}::int[]) and interaction_id = any(${ids}::uuid[])
    order by generation, interaction_id for update`.execute(trx);
  return locked;
}

/** Saves contributions that are locked. */
export async function saveContributions(trx: Trx, contributions: readonly Contribution[]): Promise<void> {
  const rows = tableOf('counted', contributions, {
    generation: ['int', (row) => row.generation],
    interactionId: ['uuid', (row) => row.interactionId],
    botId: ['uuid', (row) => row.botId],
    botVersion: ['int', (row) => row.botVersion],
    createdAt: ['timestamptz', (row) => row.createdAt],
    version: ['int', (row) => row.version],
    isStalled: ['boolean', (row) => row.isStalled],
    isOpen: ['boolean', (row) => row.isOpen],
    deletedAt: ['timestamptz', (row) => row.deletedAt],
    counts: ['text', (row) => JSON.stringify(row.counts)],
  });
  await sql`
    ${ofBatch}
    update contribution set bot_id = counted.bot_id, bot_version = counted.bot_version,
      created_at = counted.created_at, version = counted.version, is_stalled = counted.is_stalled,
      is_open = counted.is_open, deleted_at = counted.deleted_at, counts = counted.counts::jsonb
    from ${rows}
    where contribution.generation = counted.generation and contribution.interaction_id = counted.interaction_id`.execute(
    trx,
  );
}

/** An open conversation, and the version of its facts that was counted. */
export type Open = Pick<Contribution, 'interactionId' | 'workspaceId' | 'version'>;

/** Returns open conversations of a generation behind an id, in the order of their ids, at most `limit`. */
export async function listOpen(
  db: Db,
  generation: number,
  { after, limit }: { after: string; limit: number },
): Promise<Open[]> {
  const { rows } = await sql<Open>`
    ${acrossWorkspaces('open conversations of all workspaces are counted again')}
    select interaction_id, workspace_id, version from contribution
    where generation = ${generation} and interaction_id > ${after}::uuid and is_open
    order by interaction_id limit ${limit}`.execute(reads(db));
  return rows;
}
