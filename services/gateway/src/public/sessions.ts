import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { inWorkspace, type Route, route } from '../route.ts';
import { type Sessions, sessionSeconds } from '../session.ts';
import { bodyLimit } from './body-limit.ts';
import { text, tokenExample } from '../text.ts';

/** How often a page should ask for what is pending. */
const pollAfterSeconds = 60;

/** A customer token, minted by the client's backend, becomes a session. */
export function sessionRoutes({ identity }: Peers, sessions: Sessions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/public/v1/workspaces/{workspaceId}/sessions',
      access: 'token',
      origins: 'workspace',
      refusesForeignOrigin: true,
      operationId: 'createSession',
      tag: 'Conversations',
      summary: 'Begin a session with a customer token',
      description: bodyLimit,
      errors: ['invalid-customer-token'],
      params: inWorkspace,
      body: z.strictObject({ customerToken: text({ min: 1, max: 4000 }).meta({ examples: [tokenExample] }) }),
      data: z.strictObject({
        sessionToken: z.string().meta({ examples: [tokenExample] }),
        expiresIn: z.int().meta({ description: 'Seconds', examples: [sessionSeconds] }),
        pollAfter: z.int().meta({
          description: 'After how many seconds to ask for what is pending',
          examples: [pollAfterSeconds],
        }),
      }),
      handle: async ({ params: { workspaceId }, body }, call) => {
        const check = async () => {
          await identity.getWorkspace({ id: workspaceId }, call.rpc());
          return identity.verifyCustomerToken({ workspaceId, token: body.customerToken }, call.rpc());
        };
        const { customerId } = await call.verified(check());
        call.countSession(`${workspaceId} ${customerId}`);
        const subject = { $case: 'customerId', value: customerId } as const;
        const sessionToken = await sessions.issue({ workspaceId, subject });
        return { data: { sessionToken, expiresIn: sessionSeconds, pollAfter: pollAfterSeconds } };
      },
    }),
  ];
}
