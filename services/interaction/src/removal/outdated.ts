import type { Retention } from '@parley/contracts/common/v1/common';
import type {
  CountOutdatedRequest,
  CountOutdatedResponse,
  DeleteOutdatedRequest,
  DeleteOutdatedResponse,
  ListOutdatedRequest,
  ListOutdatedResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { instantPart, positionsOf, textPart, uuidPart } from '@parley/runtime/cursor';
import { NIL } from 'uuid';
import type { Deps } from '../deps.ts';
import { deleteInteractions } from './delete-interactions.ts';
import { countOutdatedOf, isOutdated, limitedStatuses, listOutdatedOf } from './outdated-store.ts';

/** A batch is deleted in one transaction. */
const rowsPerPage = 100;

const positions = positionsOf<{ status: string; changedAt: Date; id: string }>({
  status: textPart((text) => /^[A-Za-z]{1,20}$/.test(text)),
  changedAt: instantPart,
  id: uuidPart,
});

/** The interactions of one status, oldest change first. */
export async function listOutdated(
  { db }: Pick<Deps, 'db'>,
  { workspaceId, retention, pageToken }: ListOutdatedRequest,
): Promise<ListOutdatedResponse> {
  const limited = limitedStatuses(retention ?? noLimits);
  const position = positions.read(pageToken, '/pageToken');
  const at = position ? limited.findIndex(({ status }) => status === position.status) : 0;
  const current = limited[at];
  // The settings may have changed since the last page.
  if (!current) return { interactionIds: [], latestChangeAt: null, nextPageToken: '' };
  const rows = await listOutdatedOf(db, workspaceId, current, position, rowsPerPage);
  const last = rows.at(-1);
  const next = limited[at + 1];
  const isMore = last && rows.length === rowsPerPage;
  const nextPosition = isMore
    ? { status: current.status, ...last }
    : next && { status: next.status, changedAt: new Date(0), id: NIL };
  return {
    interactionIds: rows.map(({ id }) => id),
    latestChangeAt: last?.changedAt ?? null,
    nextPageToken: nextPosition ? positions.write(nextPosition) : '',
  };
}

export async function countOutdated(
  { db }: Pick<Deps, 'db'>,
  { workspaceId, retention }: CountOutdatedRequest,
): Promise<CountOutdatedResponse> {
  const counts = { completedDays: 0, endedDays: 0, draftDays: 0 };
  for (const rule of limitedStatuses(retention ?? noLimits))
    counts[rule.name] += await countOutdatedOf(db, workspaceId, rule);
  return { completed: counts.completedDays, ended: counts.endedDays, draft: counts.draftDays };
}

/** Deletes the interactions that are still outdated. */
export async function deleteOutdated(
  deps: Pick<Deps, 'db' | 'relay' | 'watch'>,
  { workspaceId, retention, interactionIds: ids }: DeleteOutdatedRequest,
): Promise<DeleteOutdatedResponse> {
  const condition = isOutdated(retention ?? noLimits);
  const deleted = await deleteInteractions(deps, 'retention', { workspaceId, ids, condition });
  return { deleted: deleted.length };
}

const noLimits: Retention = {};
