import { notFound, preconditionFailed } from '@parley/runtime/errors';
import type {
  DeleteInteractionRequest,
  DeleteTestInteractionsRequest,
  DeleteTestInteractionsResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { loadInteraction } from '../interactions/store.ts';
import { countDeleted, type DeletionCause } from '../metrics.ts';
import { type Deleted, type Deletion, deleteRows, listTests } from './deletion-store.ts';

/** Deletes interactions, and wakes what depends on them: calls that wait for news find nothing. */
export async function deleteInteractions(
  { db, relay, watch }: Pick<Deps, 'db' | 'relay' | 'watch'>,
  cause: DeletionCause,
  deletion: Deletion,
): Promise<Deleted[]> {
  const deleted = await deleteRows(db, deletion);
  if (deleted.length > 0) relay.wake();
  for (const { id, version } of deleted) watch.wake(id, version + 1);
  countDeleted(cause, deleted.length);
  return deleted;
}

/** NOT_FOUND; ABORTED when the version is not `ifVersion`. */
export async function deleteInteraction(
  deps: Deps,
  { workspaceId, id, ifVersion = null }: DeleteInteractionRequest,
): Promise<void> {
  const condition = sql<boolean>`(${ifVersion}::int is null or version = ${ifVersion}::int)`;
  const [deleted] = await deleteInteractions(deps, 'call', {
    workspaceId,
    ids: [id],
    condition,
    isAudited: true,
  });
  if (deleted) return;
  if (await loadInteraction(deps.db, workspaceId, id)) throw preconditionFailed();
  throw notFound();
}

/** Deleting one takes little: its rows, a note, an event and a row of the audit log. */
const testsPerPage = 100;

/** Deletes a page of the test interactions of a workspace. */
export async function deleteTests(
  deps: Deps,
  { workspaceId }: DeleteTestInteractionsRequest,
): Promise<DeleteTestInteractionsResponse> {
  const ids = await listTests(deps.db, workspaceId, testsPerPage);
  const deleted = await deleteInteractions(deps, 'call', { workspaceId, ids, isAudited: true });
  return { deleted: deleted.length, hasMore: ids.length === testsPerPage };
}
