import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { Handlers } from '@parley/rpc/definition';
import { addSpanIds } from '@parley/runtime/telemetry/span-ids';
import type { Deps } from '../deps.ts';
import { deleteInteraction, deleteTests } from './delete-interactions.ts';
import { deleteCustomerInteractions } from './delete-customer.ts';
import { countOutdated, deleteOutdated, listOutdated } from './outdated.ts';
import { redactCustomer } from './redact-customer.ts';

export type Removals =
  | 'redactCustomer'
  | 'deleteInteraction'
  | 'deleteTestInteractions'
  | 'deleteCustomerInteractions'
  | 'listOutdated'
  | 'countOutdated'
  | 'deleteOutdated';

export function removalHandlers(deps: Deps): Pick<Handlers<typeof InteractionServiceService>, Removals> {
  return {
    redactCustomer: (request) => redactCustomer(deps, request),

    deleteCustomerInteractions: (request) => deleteCustomerInteractions(deps, request),

    deleteInteraction: async (request) => {
      addSpanIds({ interactionId: request.id });
      await deleteInteraction(deps, request);
      return {};
    },

    deleteTestInteractions: (request) => deleteTests(deps, request),

    listOutdated: (request) => listOutdated(deps, request),

    countOutdated: (request) => countOutdated(deps, request),

    deleteOutdated: (request) => deleteOutdated(deps, request),
  };
}
