import { replayLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { credentialPointer } from '../../http/request/principal.ts';
import { type Route, route } from '../../http/server/route.ts';
import { replays, toReplays } from './present-replay.ts';
import { positive } from '../../values/count.ts';
import { requirePersonalData } from '../../values/reader.ts';
import { pointerInBody } from './publication.ts';
import { definition, oneBot } from './routes.ts';

/** How long a replay may take: a conversation needs a few milliseconds, and takes turns with other work. */
const timeoutMs = 30_000;

const { conversationsMax } = replayLimits;

const replayConversations = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/bots/{botId}/replays',
  access: 'key',
  scope: 'interactions:read',
  operationId: 'replayConversations',
  clientMethod: 'bots.replay',
  tag: 'Bots',
  summary: 'Replay the last conversations with another definition, before it is published',
  description: `Changes nothing. Each question gets the answer that the customer gave to the question of the same id, and
each step of the model the values that it found. What differs is what the definition causes: the same replay with the
version of the conversation is the comparison. Also needs the scope \`personal-data:read\`: the conditions of a definition
can test each personal value.`,
  params: oneBot,
  body: z
    .strictObject({
      definition,
      conversations: positive
        .max(conversationsMax)
        .default(conversationsMax)
        .meta({
          description: 'How many of the completed conversations, the newest first',
          examples: [conversationsMax],
        }),
    })
    .meta({ id: 'NewReplay' }),
  data: replays,
  timeoutMs,
  handle: async ({ params: { workspaceId, botId }, body }, call, { bots }) => {
    requirePersonalData(call.reader, credentialPointer(call.principal));
    const text = JSON.stringify(body.definition);
    const request = { workspaceId, id: botId, definition: text, limit: body.conversations };
    return {
      data: toReplays(
        await bots.replayConversations(request, call.rpc()).catch((error: unknown) => {
          throw pointerInBody(error, body);
        }),
      ),
    };
  },
});

export const botReplayRoutes: Route[] = [replayConversations];
