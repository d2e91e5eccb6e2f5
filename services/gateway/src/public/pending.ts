import type { Peers } from '../peers.ts';
import { pending, toPending } from '../present/conversation.ts';
import { inWorkspace, type Route, route } from '../route.ts';

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
      data: pending.nullable(),
      handle: async (_input, call) => {
        const answer = await conversations.getPending({ session: call.session }, call.rpc());
        return { data: answer.pending && toPending(answer.pending) };
      },
    }),
  ];
}
