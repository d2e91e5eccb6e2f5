import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { locale, pending, toPending } from '../present/conversation.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';

/** What waits for the customer of a session. */
export function pendingRoutes({ conversations }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/public/v1/workspaces/{workspaceId}/pending',
      access: 'session',
      origins: 'workspace',
      limit: 'pending',
      operationId: 'getPending',
      tag: 'Conversations',
      summary: 'Get the best waiting interaction of the session, or null',
      params: inWorkspace,
      query: z.object({ locale: locale.optional() }),
      data: pending.nullable(),
      handle: async ({ query }, call) => {
        const request = { session: call.session, locale: query.locale };
        const answer = await conversations.getPending(request, call.rpc());
        return { data: answer.pending && toPending(answer.pending) };
      },
    }),
  ];
}
