import { idPositions } from '@parley/runtime/cursor';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { limits } from '@parley/postgres/sql/page';
import type { Handlers } from '@parley/rpc/definition';
import { existing } from '@parley/runtime/errors';
import { addSpanIds } from '@parley/runtime/telemetry/span-ids';
import type { Deps } from '../deps.ts';
import { auditShown } from './audited-reads.ts';
import { createInteractions } from './bulk-creation.ts';
import { eventBodies } from './event-bodies.ts';
import { createInteraction } from './creation.ts';
import { expireDue } from './expiry-store.ts';
import { exportInteractions } from './export.ts';
import { filtersOf } from './filters.ts';
import {
  continueList,
  type Listed,
  listInteractions,
  listOfCustomer,
  shortListOfCustomer,
} from './list-store.ts';
import { interactionMessage } from './message.ts';
import { listNonPersonalNames } from './non-personal.ts';
import { loadForMessage } from './store.ts';
import { exportCustomer } from './subject-export.ts';
import { countInteractions } from './total-store.ts';
import { updateInteraction } from './update.ts';

/** The RPCs of removals, whose folder uses this one. */
export type Removals =
  | 'redactCustomer'
  | 'deleteInteraction'
  | 'deleteCustomerInteractions'
  | 'listOutdated'
  | 'countOutdated'
  | 'deleteOutdated';

/** Returns the handlers of the RPCs about interactions, except those that remove data. */
export function interactionHandlers(deps: Deps): Omit<Handlers<typeof InteractionServiceService>, Removals> {
  const { db, linkKeys } = deps;
  const listResponse = (workspaceId: string, listed: Listed) => responseOf(deps, workspaceId, listed);
  return {
    createInteraction: async (request, call) => {
      const created = await createInteraction(deps, request, call);
      addSpanIds({ interactionId: created.interaction?.id });
      return created;
    },

    createInteractions: (request, call) => createInteractions(deps, request, call),

    getInteraction: async ({ workspaceId, id }) => {
      addSpanIds({ interactionId: id });
      const row = existing(await loadForMessage(db, workspaceId, id));
      await auditShown(deps, workspaceId, 'interaction.opened', [row]);
      return interactionMessage(row, linkKeys);
    },

    listInteractions: async (request) => {
      const { workspaceId } = request;
      const filters = await filtersOf(db, request);
      if (!filters) return { interactions: [], total: 0 };
      const after = idPositions.read(request.after ?? '', '/after')?.id;
      await expireDue(db, workspaceId);
      const page = { ...limits(request.page), onlyShort: request.onlyShort === true };
      if (after !== undefined) {
        const listed = await continueList(db, filters, after, page.limit);
        return { ...(await listResponse(workspaceId, listed)), total: 0 };
      }
      const total = await countInteractions(db, filters);
      const listed = await listInteractions(db, filters, page, total);
      return { ...(await listResponse(workspaceId, listed)), total };
    },

    exportInteractions: (request) => exportInteractions(deps, request),

    listCustomerInteractions: async ({ workspaceId, customerId, after: given, onlyShort }) => {
      const after = idPositions.read(given ?? '', '/after')?.id;
      await expireDue(db, workspaceId);
      return listResponse(
        workspaceId,
        onlyShort
          ? await shortListOfCustomer(db, workspaceId, customerId)
          : await listOfCustomer(db, workspaceId, customerId, after),
      );
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

async function responseOf(deps: Deps, workspaceId: string, { rows, ...listed }: Listed) {
  await auditShown(deps, workspaceId, 'interactions.listed', rows);
  return { interactions: rows.map((row) => interactionMessage(row, deps.linkKeys)), ...listed };
}
