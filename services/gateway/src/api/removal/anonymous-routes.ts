import { anonymousPrefix, openLinkLimits } from '@parley/contracts/limits';
import { invalidRequest } from '@parley/runtime/errors';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';

const deleteAnonymousCustomers = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/customers',
  access: 'key',
  scope: 'customers:write',
  operationId: 'deleteAnonymousCustomers',
  clientMethod: 'customers.deleteAnonymous',
  tag: 'Customers',
  summary: 'Delete the customers of open links with all interactions',
  description: `Those whose ids begin with \`${anonymousPrefix}\`: up to ${openLinkLimits.deletedAtOnceMax} at a time, so repeat the call while
\`hasMore\` is true. The deletions have begun with the answer, and go on as those of single customers do.`,
  params: inWorkspace,
  query: z.object({
    anonymous: z.literal('true').optional().meta({ description: 'Required: no call deletes all customers' }),
  }),
  data: z.strictObject({
    deleted: z.int().meta({ examples: [12] }),
    hasMore: z.boolean().meta({ examples: [false] }),
  }),
  timeoutMs: 20_000,
  handle: async ({ params: { workspaceId }, query }, call, { customers }) => {
    if (query.anonymous === undefined) {
      throw invalidRequest([{ pointer: '/query/anonymous', detail: 'Must be true' }]);
    }
    const requestedBy = call.principal.id;
    const { deleted, hasMore } = await customers.deleteAnonymousCustomers(
      { workspaceId, requestedBy },
      call.rpc(),
    );
    return { data: { deleted, hasMore } };
  },
});

export const anonymousRoutes: Route[] = [deleteAnonymousCustomers];
