import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { count } from '../../values/count.ts';
import { truth } from '../../values/query.ts';

/** How long a call begins further pages. */
const deletingMs = 15_000;

const deletedTests = z
  .strictObject({
    deleted: count.meta({ description: 'How many this call has deleted', examples: [12] }),
    hasMore: z.boolean().meta({
      description: 'Whether there may be more: the time of the call was over. Repeat it',
      examples: [false],
    }),
  })
  .meta({ id: 'DeletedTests' });

const deleteTestInteractions = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/interactions',
  access: 'key',
  scope: 'interactions:write',
  operationId: 'deleteTestInteractions',
  clientMethod: 'interactions.deleteTests',
  tag: 'Interactions',
  summary: 'Delete all test interactions',
  description: `Deletes each as \`DELETE /interactions/{interactionId}\` does. \`isTest\` must be \`true\`, so that no call
without it deletes anything. A call ends after ${deletingMs / 1000} seconds, with \`hasMore\`.`,
  params: inWorkspace,
  query: z.object({
    isTest: truth()
      .refine((value) => value, 'Must be true')
      .meta({ description: 'Must be `true`', examples: [true] }),
  }),
  data: deletedTests,
  takesIfMatch: false,
  timeoutMs: 30_000,
  handle: async ({ params: { workspaceId } }, call, { interactions }) => {
    const endMs = Date.now() + deletingMs;
    let deleted = 0;
    for (;;) {
      const page = await interactions.deleteTestInteractions({ workspaceId }, call.rpc());
      deleted += page.deleted;
      if (!page.hasMore || Date.now() >= endMs) return { data: { deleted, hasMore: page.hasMore } };
    }
  },
});

export const interactionTestRoutes: Route[] = [deleteTestInteractions];
