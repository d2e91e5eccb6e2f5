import type { AuditTarget } from '@parley/audit/table';
import type {
  ExportedInteraction,
  ExportInteractionsRequest,
  ExportInteractionsResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { invalidRequest } from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { auditExport } from './audited-reads.ts';
import { expireDue } from './expiry-store.ts';
import { type ExportedRow, exportPage, type ExportPlace } from './export-store.ts';
import { filtersOf } from './filters.ts';
import { interactionMessage } from './message.ts';

const beginning: ExportPlace = { changedIn: '0', id: '00000000-0000-0000-0000-000000000000' };

/** Returns the next page of an export. INVALID_ARGUMENT for a text that is no cursor. */
export async function exportInteractions(
  { db, linkKeys }: Pick<Deps, 'db' | 'linkKeys'>,
  request: ExportInteractionsRequest,
): Promise<ExportInteractionsResponse> {
  const after = placeOf(request.cursor);
  const filters = await filtersOf(db, request);
  if (!filters) {
    if (request.isFirst)
      await auditExport(db, request.workspaceId, 'interactions.exported', targetsOf(request));
    return { interactions: [], cursor: cursorOf(after), hasMore: false, hasUnsettled: false };
  }
  if (after === beginning) await expireDue(db, request.workspaceId);
  const page = await exportPage(db, filters, after, request.withUnsettled);
  if (request.isFirst)
    await auditExport(db, request.workspaceId, 'interactions.exported', targetsOf(request));
  return {
    interactions: page.rows.map((row) => exported(row, linkKeys)),
    cursor: cursorOf(page.place),
    hasMore: page.hasMore,
    hasUnsettled: page.hasUnsettled,
  };
}

/** Returns the workspace, and what the filters name. */
function targetsOf({ workspaceId, botId, customerId }: ExportInteractionsRequest): AuditTarget[] {
  return [
    { type: 'workspace', id: workspaceId },
    ...(botId ? [{ type: 'bot', id: botId }] : []),
    ...(customerId ? [{ type: 'customer', id: customerId }] : []),
  ];
}

function exported(row: ExportedRow, linkKeys: Deps['linkKeys']): ExportedInteraction {
  const { botKey, botVersion, startedAt, completedAt, updatedAt, evaluation } = row;
  return {
    interaction: interactionMessage(row, linkKeys),
    botKey,
    botVersion: botVersion ?? undefined,
    startedAt,
    completedAt,
    updatedAt,
    evaluation: evaluation ?? {},
    cursor: cursorOf(row),
  };
}

function cursorOf({ changedIn, id }: ExportPlace): string {
  return `${changedIn}.${id}`;
}

// Postgres reads a number with zeros in front as an octal one.
const cursorForm = /^(0|[1-9]\d{0,18})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function placeOf(cursor: string): ExportPlace {
  if (cursor === '') return beginning;
  const [, changedIn, id] = cursorForm.exec(cursor) ?? [];
  if (changedIn !== undefined && id !== undefined) return { changedIn, id };
  throw invalidRequest([{ pointer: '/query/cursor', detail: 'Must be the cursor of a line of an export' }]);
}
