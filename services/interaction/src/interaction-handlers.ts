import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { limits } from '@parley/postgres/page';
import type { Handlers } from '@parley/rpc/definition';
import { notFound } from '@parley/runtime/errors';
import { validate as isUuid } from 'uuid';
import { dataOf } from './completion.ts';
import { loadCompleted } from './completion-store.ts';
import { createInteraction } from './creation.ts';
import type { Deps } from './deps.ts';
import { expireDue } from './expiry-store.ts';
import { countInteractions, type Filters, listInteractions, listOfCustomer } from './list-store.ts';
import { interactionMessage, priorityOf, statusOf } from './interaction-message.ts';
import { loadInteraction } from './interaction-store.ts';
import { redactCustomer } from './redact-customer.ts';
import { updateInteraction } from './update.ts';

/** About how large an answer with histories gets. */
const bodiesBytesMax = 4 * 1024 * 1024;

/** Interactions as the client's backend sees them. */
export function interactionHandlers(deps: Deps): Handlers<typeof InteractionServiceService> {
  const { db, linkKeys } = deps;
  return {
    createInteraction: (request, call) => createInteraction(deps, request, call.requestId),

    getInteraction: async ({ workspaceId, id }) => {
      const row = await loadInteraction(db, workspaceId, id);
      if (!row) throw notFound();
      return interactionMessage(row, linkKeys);
    },

    listInteractions: async (request) => {
      const filters: Filters = {
        workspaceId: request.workspaceId,
        status: statusOf(request.status),
        priority: priorityOf(request.priority),
        botId: request.botId ?? undefined,
        customerId: request.customerId ?? undefined,
      };
      if (filters.botId !== undefined && !isUuid(filters.botId)) return { interactions: [], total: 0 };
      await expireDue(db, request.workspaceId);
      const page = limits(request.page);
      const total = await countInteractions(db, filters);
      const rows = await listInteractions(db, filters, page, total);
      return { interactions: rows.map((row) => interactionMessage(row, linkKeys)), total };
    },

    listCustomerInteractions: async ({ workspaceId, customerId }) => {
      await expireDue(db, workspaceId);
      const rows = await listOfCustomer(db, workspaceId, customerId);
      return { interactions: rows.map((row) => interactionMessage(row, linkKeys)) };
    },

    updateInteraction: (request, call) => updateInteraction(deps, request, call.requestId),

    listCompletionBodies: async ({ completions }) => {
      const talks = await loadCompleted(db, completions, bodiesBytesMax);
      return { bodies: talks.map((talk) => Buffer.from((talk && dataOf(talk)) ?? '')) };
    },

    redactCustomer: (request) => redactCustomer(deps, request),
  };
}
