import { toAppError } from '@parley/runtime/errors';
import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { branding, toBrandingIfAny } from '../present/branding.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';
import { type Sessions, sessionSeconds } from '../auth/session.ts';
import { bodyLimit } from './body-limit.ts';
import { text, tokenExample } from '../values/text.ts';

/** How often a page should ask for what is pending. */
const pollAfterSeconds = 60;

/**
 * A customer token, minted by the client's backend, becomes a session. `publicUrl` is where browsers reach the gateway.
 */
export function sessionRoutes({ identity }: Peers, sessions: Sessions, publicUrl: string): Route[] {
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
        branding: branding.optional(),
      }),
      handle: async ({ params: { workspaceId }, body }, call) => {
        const check = async () => {
          const [branding, token] = await Promise.allSettled([
            identity.getBranding({ workspaceId }, call.rpc()),
            identity.verifyCustomerToken({ workspaceId, token: body.customerToken }, call.rpc()),
          ]);
          // An unknown workspace is a 404 whatever the token. Any other failure costs only the branding.
          if (branding.status === 'rejected' && toAppError(branding.reason).code === 'not_found')
            throw branding.reason;
          if (token.status === 'rejected') throw token.reason;
          return {
            customerId: token.value.customerId,
            row: branding.status === 'fulfilled' ? branding.value : undefined,
          };
        };
        const { customerId, row } = await call.verified(check());
        call.countSession(`${workspaceId} ${customerId}`);
        const subject = { $case: 'customerId', value: customerId } as const;
        const sessionToken = await sessions.issue({ workspaceId, subject });
        return {
          data: {
            sessionToken,
            expiresIn: sessionSeconds,
            pollAfter: pollAfterSeconds,
            branding: row && toBrandingIfAny(workspaceId, row, publicUrl),
          },
        };
      },
    }),
  ];
}
