import { notFound } from '@parley/runtime/errors';
import { z } from 'zod';
import { specified } from '../values/message.ts';
import type { Peers } from '../peers.ts';
import { status } from '../present/interaction.ts';
import { type Route, route } from '../http/route.ts';
import { type Sessions, sessionSeconds } from '../auth/session.ts';
import { bodyLimit } from './body-limit.ts';
import { id, text, tokenExample } from '../values/text.ts';

/** The token of a link becomes a session that reaches the link's interaction only. Changes nothing. */
export function linkSessionRoutes({ conversations }: Peers, sessions: Sessions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/public/v1/link-sessions',
      access: 'token',
      origins: 'landing',
      refusesForeignOrigin: true,
      operationId: 'createLinkSession',
      tag: 'Conversations',
      summary: 'Begin a session with the token of a link',
      description: `The token is the last part of the \`link\` of an interaction. Changes nothing; only the landing page may call it.
${bodyLimit}`,
      errors: ['not-found'],
      body: z.strictObject({ token: text({ min: 1, max: 255 }).meta({ examples: ['2TfPq0Xy8mZ3'] }) }),
      data: z.strictObject({
        sessionToken: z.string().meta({ examples: [tokenExample] }),
        expiresIn: z.int().meta({ description: 'Seconds', examples: [sessionSeconds] }),
        workspaceId: id,
        interactionId: id,
        status,
        botName: z.string().meta({ examples: ['NPS follow-up'] }),
      }),
      handle: async ({ body }, call) => {
        const open = async () => {
          const found = await conversations.openLink({ token: body.token }, call.rpc());
          if (found.unavailable) throw notFound();
          return found;
        };
        const link = await call.verified(open());
        const { workspaceId, interactionId, linkVersion, botName } = link;
        call.countSession(interactionId);
        const subject = { $case: 'interaction', value: { interactionId, linkVersion } } as const;
        const sessionToken = await sessions.issue({ workspaceId, subject });
        return {
          data: {
            sessionToken,
            expiresIn: sessionSeconds,
            workspaceId,
            interactionId,
            status: specified(link.status),
            botName,
          },
        };
      },
    }),
  ];
}
