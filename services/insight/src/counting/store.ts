import { purgeDue } from '@parley/postgres/due-work';
import { tableOf, uuids } from '@parley/postgres/sql/arrays';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Selectable, sql } from 'kysely';
import type { ContributionTable, Db, FigureTable, Trx } from '../schema.ts';

export type Contribution = Selectable<ContributionTable>;

/** What a row has before its interaction is counted. */
export type Uncounted = Pick<Contribution, 'interactionId' | 'workspaceId' | 'botId' | 'createdAt'>;

const ofBatch = acrossWorkspaces('a batch has interactions of all workspaces');

/**
 * Locks the contributions of interactions in these generations until the end of the transaction, and returns them.
 * Inserts missing ones, with version 0 and no counts. Rows are always locked in the same order, so concurrent batches
 * cannot wait for each other.
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
      is_unknown, deleted_at, counts
    from contribution where generation = any(${generations}::int[]) and interaction_id = any(${ids}::uuid[])
    order by generation, interaction_id for update`.execute(trx);
  return locked;
}

/** The contributions are locked. */
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
    isUnknown: ['boolean', (row) => row.isUnknown],
    deletedAt: ['timestamptz', (row) => row.deletedAt],
    counts: ['text', (row) => JSON.stringify(row.counts)],
  });
  await sql`
    ${ofBatch}
    update contribution set bot_id = counted.bot_id, bot_version = counted.bot_version,
      created_at = counted.created_at, version = counted.version, is_stalled = counted.is_stalled,
      is_open = counted.is_open, is_unknown = counted.is_unknown, deleted_at = counted.deleted_at, counts = counted.counts::jsonb
    from ${rows}
    where contribution.generation = counted.generation and contribution.interaction_id = counted.interaction_id`.execute(
    trx,
  );
}

/** Returns the versions that every one of these generations has counted at least, by the id of the interaction. */
export async function countedVersions(
  db: Db,
  generations: readonly number[],
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ interactionId: string; version: number }>`
    ${ofBatch}
    select interaction_id, min(version) as version from contribution
    where generation = any(${generations}::int[]) and interaction_id = any(${uuids(ids)}::uuid[])
    group by 1 having count(*) = ${generations.length}`.execute(reads(db));
  return new Map(rows.map(({ interactionId, version }) => [interactionId, version]));
}

const unknownMax = 10_000;

/** Returns how many interactions of the oldest generation are unknown, at most `unknownMax`. */
export async function countUnknown(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    ${acrossWorkspaces('a metric is about all workspaces')}
    select count(*)::int as count from (
      select from contribution where is_unknown and generation = (select min(id) from generation)
      limit ${unknownMax}) as unknown`.execute(scans(db));
  return rows[0]?.count ?? 0;
}

/**
 * Adds to counters, which may be negative, and deletes counters that are 0 then. Each counter occurs once. Its rows are
 * locked until the end of the transaction, so call it last in one. They are locked in the order of their key, so
 * concurrent batches cannot wait for each other.
 */
export async function addToFigures(trx: Trx, added: readonly FigureTable[]): Promise<void> {
  if (added.length === 0) return;
  await sql`
    ${ofBatch}
    insert into figure (generation, workspace_id, bot_id, bot_version, hour, name, n)
    select generation, workspace_id, bot_id, bot_version, hour, name, n from ${rowsOf(added)}
    order by generation, bot_id, hour, bot_version, name
    on conflict (generation, bot_id, hour, bot_version, name) do update set n = figure.n + excluded.n`.execute(
    trx,
  );
  const subtracted = added.filter(({ n }) => n < 0);
  if (subtracted.length === 0) return;
  await sql`
    ${ofBatch}
    delete from figure using ${rowsOf(subtracted)}
    where figure.generation = added.generation and figure.bot_id = added.bot_id and figure.hour = added.hour
      and figure.bot_version = added.bot_version and figure.name = added.name and figure.n = 0`.execute(trx);
}

function rowsOf(added: readonly FigureTable[]) {
  return tableOf('added', added, {
    generation: ['int', (row) => row.generation],
    workspaceId: ['uuid', (row) => row.workspaceId],
    botId: ['uuid', (row) => row.botId],
    botVersion: ['int', (row) => row.botVersion],
    hour: ['timestamptz', (row) => row.hour],
    name: ['text', (row) => row.name],
    n: ['int', (row) => row.n],
  });
}

const pageMax = 5_000;
const replaced = acrossWorkspaces('figures that were replaced');
const byAge = acrossWorkspaces('a purge by age');

/** Deletes a page of each: replaced generations, and old deletions. Returns whether there may be more. */
export async function purge(db: Db): Promise<boolean> {
  const isReplaced = sql`generation < (select min(id) from generation)`;
  // Facts that were read before the deletion are long counted or given up.
  const isOld = sql`deleted_at < now() - interval '1 hour'`;
  const isMore = [
    await purgeDue(db, replaced, { table: 'contribution', isDue: isReplaced, limit: pageMax }),
    await purgeDue(db, replaced, { table: 'figure', isDue: isReplaced, limit: pageMax }),
    await purgeDue(db, byAge, { table: 'contribution', isDue: isOld, limit: pageMax }),
  ];
  return isMore.includes(true);
}
