import { tableOf } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { sql } from 'kysely';
import type { FigureTable, Trx } from '../schema.ts';

const ofBatch = acrossWorkspaces('a batch has interactions of all workspaces');

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
