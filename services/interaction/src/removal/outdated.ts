import type { Retention } from '@parley/contracts/common/v1/common';
import type {
  CountOutdatedRequest,
  CountOutdatedResponse,
  DeleteOutdatedRequest,
  DeleteOutdatedResponse,
  ListOutdatedRequest,
  ListOutdatedResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { invalidRequest } from '@parley/runtime/errors';
import { NIL, validate as isUuid } from 'uuid';
import type { Deps } from '../deps.ts';
import { deleteInteractions } from './delete-interactions.ts';
import { countOutdatedOf, isOutdated, limitedStatuses, listOutdatedOf } from './outdated-store.ts';

/** A batch is deleted in one transaction. */
const rowsPerPage = 100;

type Place = { status: string; changedAt: Date; id: string };

/** Returns a page of outdated interactions: of one status, oldest change first. */
export async function listOutdated(
  { db }: Pick<Deps, 'db'>,
  { workspaceId, retention, pageToken }: ListOutdatedRequest,
): Promise<ListOutdatedResponse> {
  const limited = limitedStatuses(retention ?? noLimits);
  const place = placeOf(pageToken);
  const at = place ? limited.findIndex(({ status }) => status === place.status) : 0;
  const current = limited[at];
  // The settings may have changed since the last page.
  if (!current) return { interactionIds: [], latestChangeAt: null, nextPageToken: '' };
  const rows = await listOutdatedOf(db, workspaceId, current, place, rowsPerPage);
  const last = rows.at(-1);
  const next = limited[at + 1];
  const isMore = last && rows.length === rowsPerPage;
  const nextPlace = isMore
    ? { status: current.status, ...last }
    : next && { status: next.status, changedAt: new Date(0), id: NIL };
  return {
    interactionIds: rows.map(({ id }) => id),
    latestChangeAt: last?.changedAt ?? null,
    nextPageToken: nextPlace ? tokenOf(nextPlace) : '',
  };
}

/** Returns how many interactions are outdated. */
export async function countOutdated(
  { db }: Pick<Deps, 'db'>,
  { workspaceId, retention }: CountOutdatedRequest,
): Promise<CountOutdatedResponse> {
  const counts = { completedDays: 0, endedDays: 0, draftDays: 0 };
  for (const rule of limitedStatuses(retention ?? noLimits))
    counts[rule.name] += await countOutdatedOf(db, workspaceId, rule);
  return { completed: counts.completedDays, ended: counts.endedDays, draft: counts.draftDays };
}

/** Deletes those of the interactions that are outdated still. */
export async function deleteOutdated(
  deps: Pick<Deps, 'db' | 'relay' | 'watch'>,
  { workspaceId, retention, interactionIds: ids }: DeleteOutdatedRequest,
): Promise<DeleteOutdatedResponse> {
  const condition = isOutdated(retention ?? noLimits);
  const deleted = await deleteInteractions(deps, 'retention', { workspaceId, ids, condition });
  return { deleted: deleted.length };
}

const noLimits: Retention = {};

function tokenOf({ status, changedAt, id }: Place): string {
  return `${status}_${changedAt.getTime()}_${id}`;
}

/** Reads a page token. Undefined for the first page. INVALID_ARGUMENT for another text. */
function placeOf(token: string): Place | undefined {
  if (token === '') return undefined;
  const [, status = '', ms = '', id = ''] = /^([A-Za-z]{1,20})_(\d{1,15})_(.{36})$/.exec(token) ?? [];
  if (!isUuid(id)) {
    throw invalidRequest([{ pointer: '/pageToken', detail: 'Must be the nextPageToken of a page' }]);
  }
  return { status, changedAt: new Date(Number(ms)), id };
}
