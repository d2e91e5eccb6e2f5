import { z } from 'zod';
import { specified } from '../message.ts';
import type { Peers } from '../peers.ts';
import { status } from '../present/interaction.ts';
import { type Route, route } from '../route.ts';
import type { Sessions } from '../session.ts';
import { text } from '../text.ts';

/** The token of a link becomes a session that reaches the link's interaction only. Changes nothing. */
export function linkSessionRoutes({ conversations }: Peers, sessions: Sessions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/public/v1/link-sessions',
      access: 'public',
      origins: 'landing',
      refusesForeignOrigin: true,
      summary: 'Begin a session with the token of a link',
      body: z.strictObject({ token: text({ min: 1, max: 255 }) }),
      data: z.strictObject({
        sessionToken: z.string(),
        workspaceId: z.string(),
        interactionId: z.string(),
        status,
        botName: z.string(),
      }),
      handle: async ({ body }, call) => {
        const link = await conversations.openLink({ token: body.token }, call.rpc());
        const { workspaceId, interactionId, linkVersion, botName } = link;
        const subject = { $case: 'interaction', value: { interactionId, linkVersion } } as const;
        const sessionToken = await sessions.issue({ workspaceId, subject });
        return {
          data: { sessionToken, workspaceId, interactionId, status: specified(link.status), botName },
        };
      },
    }),
  ];
}
