import type { AuditTarget } from '@parley/audit/table';
import type {
  ExportedInteraction,
  ExportInteractionsRequest,
  ExportInteractionsResponse,
} from '@parley/contracts/interaction/v1/interaction';
import type { Deps } from '../deps.ts';
import { auditExport } from '../interactions/audited-reads.ts';
import { expireDue } from '../changing/expiry-store.ts';
import { beginning, cursorOf, positionOf } from './export-cursor.ts';
import { type ExportedRow, exportPage, readStore, restamp } from './export-store.ts';
import { filtersOf } from '../listing/filters.ts';
import { interactionMessage } from '../interactions/message.ts';

/**
 * Returns the next page of an export. INVALID_ARGUMENT for a text that is no cursor, `gone` for a cursor of another
 * store. Pages without interactions precede the first one until interactions of another server are restamped.
 */
export async function exportInteractions(
  { db, linkKeys }: Pick<Deps, 'db' | 'linkKeys'>,
  request: ExportInteractionsRequest,
): Promise<ExportInteractionsResponse> {
  const { workspaceId } = request;
  const { store, hasMoved } = await readStore(db, workspaceId);
  const after = positionOf(store, request.cursor, request.isFirst);
  const filters = await filtersOf(db, request);
  if (!filters) {
    if (request.isFirst) await auditExport(db, workspaceId, 'interactions.exported', targetsOf(request));
    return { interactions: [], cursor: cursorOf(store, after), hasMore: false, hasUnsettled: false };
  }
  if (hasMoved) {
    await restamp(db, workspaceId);
    if (request.isFirst) await auditExport(db, workspaceId, 'interactions.exported', targetsOf(request));
    return { interactions: [], cursor: cursorOf(store, after), hasMore: true, hasUnsettled: false };
  }
  if (after === beginning) await expireDue(db, workspaceId);
  // Tests are left out behind the read of a page: a page of nothing but tests costs no more than others.
  const isOfTests = filters.isTest === true;
  const wanted = isOfTests ? filters : { ...filters, isTest: undefined };
  const page = await exportPage(db, wanted, after, request.withUnsettled);
  if (request.isFirst) await auditExport(db, workspaceId, 'interactions.exported', targetsOf(request));
  return {
    interactions: page.rows
      .filter(({ isTest }) => isTest === isOfTests)
      .map((row) => exported(row, store, linkKeys)),
    cursor: cursorOf(store, page.position),
    hasMore: page.hasMore,
    hasUnsettled: page.hasUnsettled,
  };
}

function targetsOf({ workspaceId, botId, customerId }: ExportInteractionsRequest): AuditTarget[] {
  return [
    { type: 'workspace', id: workspaceId },
    ...(botId ? [{ type: 'bot', id: botId }] : []),
    ...(customerId ? [{ type: 'customer', id: customerId }] : []),
  ];
}

function exported(row: ExportedRow, store: string, linkKeys: Deps['linkKeys']): ExportedInteraction {
  const { botKey, botVersion, startedAt, completedAt, updatedAt, evaluation } = row;
  return {
    interaction: interactionMessage(row, linkKeys),
    botKey,
    botVersion: botVersion ?? undefined,
    startedAt,
    completedAt,
    updatedAt,
    evaluation: evaluation ?? {},
    cursor: cursorOf(store, row),
  };
}
