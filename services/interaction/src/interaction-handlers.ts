import { idPositions } from '@parley/runtime/cursor';
import type {
  ExportCustomerRequest,
  ExportCustomerResponse,
  InteractionServiceService,
  ListInteractionsRequest,
  ListInteractionsResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { limits } from '@parley/postgres/sql/page';
import type { Handlers } from '@parley/rpc/definition';
import type { Keyring } from '@parley/runtime/config/keyring';
import { requireExisting } from '@parley/runtime/errors';
import { addSpanIds } from '@parley/runtime/telemetry/span-ids';
import type { Kysely } from 'kysely';
import type { Deps } from './deps.ts';
import { remindersOf } from './interactions/availability.ts';
import { loadAvailability } from './changing/availability-store.ts';
import { auditConversations, auditExport } from './interactions/audited-reads.ts';
import { createInteractions } from './creating/bulk-creation.ts';
import { eventBodies } from './interactions/event-bodies.ts';
import { createInteraction } from './creating/creation.ts';
import { expireDue, readUnexpired } from './changing/expiry-store.ts';
import { exportInteractions } from './exporting/export.ts';
import { filtersOf, isChangedByExpiry } from './listing/filters.ts';
import {
  continueList,
  type Listed,
  listInteractions,
  listOfCustomer,
  shortListOfCustomer,
} from './listing/list-store.ts';
import { atTime } from './interactions/lifecycle.ts';
import { interactionMessage } from './interactions/message.ts';
import { listNonPersonalNames } from './listing/non-personal.ts';
import { loadForMessage } from './interactions/store.ts';
import { countInteractions } from './listing/total-store.ts';
import type { ContactCalls } from './contacts/handlers.ts';
import type { Removals } from './removal/handlers.ts';
import { updateInteraction } from './changing/update.ts';
import { digestOfSubject, interactionRecord, pageOfSubject } from './exporting/subject-store.ts';
import type { Tables } from './schema.ts';

export function interactionHandlers(
  deps: Deps,
): Omit<Handlers<typeof InteractionServiceService>, Removals | ContactCalls> {
  const { db, linkKeys } = deps;
  const listResponse = (workspaceId: string, listed: Listed) => responseOf(deps, workspaceId, listed);
  return {
    createInteraction: async (request, call) => {
      const created = await createInteraction(deps, request, call);
      addSpanIds({ interactionId: created.interaction?.id });
      return created;
    },

    createInteractions: (request, call) => createInteractions(deps, request, call),

    getInteraction: async ({ workspaceId, id, withReminders, onlyLink }) => {
      addSpanIds({ interactionId: id });
      const row = requireExisting(await loadForMessage(db, workspaceId, id));
      if (!onlyLink) await auditConversations(deps, workspaceId, 'interaction.opened', [row]);
      const known =
        withReminders && row.status === 'Pending' && (await loadAvailability(db, { workspaceId, id }));
      return { ...interactionMessage(row, linkKeys), reminders: known ? remindersOf(known) : [] };
    },

    listInteractions: (request) => listPage(deps, request),

    exportInteractions: (request) => exportInteractions(deps, request),

    listCustomerInteractions: async ({ workspaceId, customerId, after: given, onlyShort }) => {
      const after = idPositions.read(given ?? '', '/after')?.id;
      if (onlyShort) {
        const read = () => shortListOfCustomer(db, workspaceId, customerId);
        return listResponse(workspaceId, await readUnexpired(db, workspaceId, read));
      }
      await expireDue(db, workspaceId);
      return listResponse(workspaceId, await listOfCustomer(db, workspaceId, customerId, after));
    },

    listNonPersonalNames: (request) => listNonPersonalNames(deps, request),

    exportCustomer: (request) => exportCustomer(db, request, linkKeys),

    updateInteraction: (request, call) => {
      addSpanIds({ interactionId: request.id });
      return updateInteraction(deps, request, call.requestId);
    },

    listEventBodies: async ({ events }) => ({ bodies: await eventBodies(db, events, deps) }),
  };
}

/** Returns the interactions of a customer behind `after`, with everything that is stored about them. */
async function exportCustomer(
  db: Kysely<Tables>,
  { workspaceId, customerId, after: given, showsNone }: ExportCustomerRequest,
  linkKeys: Keyring,
): Promise<ExportCustomerResponse> {
  const after = idPositions.read(given ?? '', '/after')?.id;
  if (after === undefined) await expireDue(db, workspaceId);
  // Before the rows: a change in between shows in the next digest.
  const digest = after === undefined ? await digestOfSubject(db, workspaceId, customerId) : undefined;
  const { rows, nextAfter } = await pageOfSubject(db, workspaceId, customerId, after);
  if (after === undefined && !showsNone) {
    await auditExport(db, workspaceId, 'customer.exported', [{ type: 'customer', id: customerId }]);
  }
  return { interactions: rows.map((row) => interactionRecord(row, linkKeys)), nextAfter, digest };
}

async function listPage(deps: Deps, request: ListInteractionsRequest): Promise<ListInteractionsResponse> {
  const { db } = deps;
  const { workspaceId } = request;
  const filters = await filtersOf(db, request);
  if (!filters) return { interactions: [], total: 0 };
  const after = idPositions.read(request.after ?? '', '/after')?.id;
  const page = { ...limits(request.page), onlyShort: request.onlyShort === true };
  const isSettled = !page.onlyShort || isChangedByExpiry(filters);
  if (isSettled) await expireDue(db, workspaceId);
  if (after !== undefined) {
    const listed = await continueList(db, filters, after, page.limit);
    return { ...(await responseOf(deps, workspaceId, listed)), total: 0 };
  }
  const read = () => listInteractions(db, filters, page, () => countInteractions(db, filters));
  const { total, ...listed } = await (isSettled ? read() : readUnexpired(db, workspaceId, read));
  return { ...(await responseOf(deps, workspaceId, listed)), total };
}

async function responseOf(deps: Deps, workspaceId: string, { rows, ...listed }: Listed) {
  await auditConversations(deps, workspaceId, 'interactions.listed', rows);
  const now = new Date();
  return { interactions: rows.map((row) => interactionMessage(atTime(row, now), deps.linkKeys)), ...listed };
}
