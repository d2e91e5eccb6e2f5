import { tableOf } from '@parley/postgres/sql/arrays';
import { scans } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Selectable, sql } from 'kysely';
import { NIL } from 'uuid';
import type { Db, Trx, WorkspaceProgressTable } from '../schema.ts';

/** A place in the order of the changes of a workspace. */
export type Place = Pick<Selectable<WorkspaceProgressTable>, 'workspaceId' | 'transaction' | 'interactionId'>;

const ofAll = acrossWorkspaces('the changes of all workspaces are counted');
const purgedMax = 1_000;

/** Places that were left behind come first. */
export async function listPlaces(db: Db): Promise<Place[]> {
  const { rows } = await sql<Place>`
    ${ofAll}
    select workspace_id, transaction, interaction_id from workspace_progress
    order by behind_since nulls last, workspace_id`.execute(scans(db));
  return rows;
}

/**
 * Makes sure that the changes of these workspaces from a transaction on are counted; if it is one of another database
 * server, all changes. Call it in the transaction that has counted the changes before. Locks the rows in the order of
 * their ids, after contributions and before figures.
 */
export async function watchChanges(
  trx: Trx,
  workspaceIds: readonly string[],
  { horizon, server }: { horizon: number; server: string },
): Promise<void> {
  if (workspaceIds.length === 0) return;
  // Transactions of another server say nothing here. The lock keeps the server until the row is there.
  const { rows } = await sql<{ server: string }>`
    ${ofAll}
    select server from freshness for key share`.execute(trx);
  const transaction = rows[0]?.server === server ? horizon : 0;
  await sql`
    ${ofAll}
    insert into workspace_progress as known (workspace_id, transaction, interaction_id)
    select id, ${transaction}, ${NIL} from unnest(${workspaceIds.toSorted()}::uuid[]) as id
    on conflict (workspace_id) do update set transaction = excluded.transaction, interaction_id = ${NIL}
      where known.transaction > excluded.transaction`.execute(trx);
}

/** Moves places behind changes that were counted. A place that another transaction has moved meanwhile stays. */
export async function movePlaces(db: Db, moves: readonly { from: Place; to: Place }[]): Promise<void> {
  if (moves.length === 0) return;
  const rows = tableOf('move', moves, {
    workspaceId: ['uuid', ({ from }) => from.workspaceId],
    fromTransaction: ['text', ({ from }) => String(from.transaction)],
    fromId: ['uuid', ({ from }) => from.interactionId],
    toTransaction: ['text', ({ to }) => String(to.transaction)],
    toId: ['uuid', ({ to }) => to.interactionId],
  });
  await sql`
    ${ofAll}
    with moved as (
      select known.workspace_id, to_transaction, to_id
      from workspace_progress as known join ${rows} on move.workspace_id = known.workspace_id
        and from_transaction::bigint = transaction and from_id = interaction_id
      order by known.workspace_id for update of known
    )
    update workspace_progress set transaction = to_transaction::bigint, interaction_id = to_id
    from moved where moved.workspace_id = workspace_progress.workspace_id`.execute(db);
}

export async function moveAllPlaces(trx: Trx, transaction: number): Promise<void> {
  await sql`
    ${ofAll}
    update workspace_progress set transaction = ${transaction}, interaction_id = ${NIL}`.execute(trx);
}

/** Forgets a page of workspaces without open conversations. Returns whether there may be more. */
export async function forgetPlaces(db: Db): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ workspaceId: string }>`
      ${ofAll}
      select workspace_id from workspace_progress as known
      where not exists (select from contribution where workspace_id = known.workspace_id and is_open)
      limit ${purgedMax} for update skip locked`.execute(trx);
    if (rows.length === 0) return false;
    // Another statement, because the first one does not see what was committed before its locks.
    await sql`
      ${ofAll}
      delete from workspace_progress as known
      where workspace_id = any(${rows.map(({ workspaceId }) => workspaceId)}::uuid[])
        and not exists (select from contribution where workspace_id = known.workspace_id and is_open)`.execute(
      trx,
    );
    return rows.length === purgedMax;
  });
}
