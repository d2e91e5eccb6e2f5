import { z } from 'zod';
import { locale, pending, toPending } from '../present/conversation.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';

const getPending = route({
  method: 'GET',
  path: '/public/v1/workspaces/{workspaceId}/pending',
  access: 'session',
  origins: 'workspace',
  limit: 'pending',
  operationId: 'getPending',
  clientMethod: 'getPending',
  tag: 'Conversations',
  summary: 'Get the best waiting interaction of the session, or null',
  params: inWorkspace,
  query: z.object({ locale: locale.optional() }),
  data: pending.nullable(),
  handle: async ({ query }, call, { conversations }) => {
    const request = { session: call.session, locale: query.locale };
    const answer = await conversations.getPending(request, call.rpc());
    return { data: answer.pending && toPending(answer.pending) };
  },
});

/** The interaction that waits for the customer of a session. */
export const pendingRoutes: Route[] = [getPending];
