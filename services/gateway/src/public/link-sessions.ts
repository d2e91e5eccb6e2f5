import { notFound } from '@parley/runtime/errors';
import { z } from 'zod';
import { specified } from '../values/message.ts';
import { status } from '../present/interaction.ts';
import { type Route, route } from '../http/route.ts';
import { sessionSeconds } from '../auth/session.ts';
import { bodyLimit } from './body-limit.ts';
import { id, text, tokenExample } from '../values/text.ts';

const createLinkSession = route({
  method: 'POST',
  path: '/public/v1/link-sessions',
  access: 'token',
  origins: 'landing',
  refusesForeignOrigin: true,
  operationId: 'createLinkSession',
  clientMethod: 'createLinkSession',
  tag: 'Conversations',
  summary: 'Begin a session with the token of a link',
  description: `The token is the last part of the \`link\` of an interaction. Changes nothing. Only the landing page may
call it.
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
  handle: async ({ body }, call, { conversations, sessions }) => {
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
});

/** Sessions by the token of a link, for its interaction only. */
export const linkSessionRoutes: Route[] = [createLinkSession];
