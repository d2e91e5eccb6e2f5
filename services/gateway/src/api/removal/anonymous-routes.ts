import { anonymousPrefix } from '@parley/contracts/customer-id';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { count } from '../../values/count.ts';
import { truth } from '../../values/query.ts';

/** How long a call begins further pages. */
const deletingMs = 15_000;

const deletedCustomers = z
  .strictObject({
    deleted: count.meta({ description: 'How many this call has deleted', examples: [12] }),
    hasMore: z.boolean().meta({
      description: 'Whether there may be more: the time of the call was over. Repeat it',
      examples: [false],
    }),
  })
  .meta({ id: 'DeletedCustomers' });

const deleteAnonymousCustomers = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/customers',
  access: 'key',
  scope: 'customers:write',
  operationId: 'deleteAnonymousCustomers',
  clientMethod: 'customers.deleteAnonymous',
  tag: 'Customers',
  summary: 'Delete the customers of open links with all interactions',
  description: `Those whose ids are \`${anonymousPrefix}\` and 32 hexadecimal digits, also if a client has created them.
\`anonymous\` must be \`true\`, so that no call without it deletes anything. The deletions have begun with the answer, and go on as those of single customers do, each with a
receipt. A call ends after ${deletingMs / 1000} seconds, with \`hasMore\`.`,
  params: inWorkspace,
  query: z.object({
    anonymous: truth()
      .refine((value) => value, 'Must be true')
      .meta({ description: 'Must be `true`', examples: [true] }),
  }),
  data: deletedCustomers,
  takesIfMatch: false,
  timeoutMs: 30_000,
  handle: async ({ params: { workspaceId } }, call, { customers }) => {
    const endMs = Date.now() + deletingMs;
    const request = { workspaceId, requestedBy: call.principal.id };
    let deleted = 0;
    for (;;) {
      const page = await customers.deleteAnonymousCustomers(request, call.rpc());
      deleted += page.deleted;
      if (!page.hasMore || Date.now() >= endMs) return { data: { deleted, hasMore: page.hasMore } };
    }
  },
});

export const anonymousRoutes: Route[] = [deleteAnonymousCustomers];
