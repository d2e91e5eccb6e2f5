import { presenceLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { notForCaller, type Route, route } from '../../http/server/route.ts';
import type { Principal } from '../../http/request/principal.ts';
import { required } from '../../values/message.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp } from '../../values/timestamp.ts';
import { oneBot } from './routes.ts';

const { secondsKept, listedMax } = presenceLimits;

const presence = z
  .strictObject({
    id: id.meta({ description: 'The tab has chosen it' }),
    personId: id.meta({ description: 'The `personId` of a member' }),
    openedAt: timestamp,
  })
  .meta({ id: 'Presence' });

const presences = z.strictObject({ presences: z.array(presence) }).meta({ id: 'Presences' });

const renewedPresence = z
  .strictObject({ id: id.meta({ description: 'A new UUID for each tab' }) })
  .meta({ id: 'RenewedPresence' });

const path = '/v1/workspaces/{workspaceId}/bots/{botId}/presences';

const renewPresence = route({
  method: 'POST',
  path,
  access: 'key',
  scope: 'bots:read',
  operationId: 'renewPresence',
  clientMethod: 'bots.renewPresence',
  tag: 'Bots',
  summary: 'Say that the calling person has the editor of the bot open, and list who else has',
  description: `The person is listed until \`DELETE\`, or for ${secondsKept} seconds: repeat the call every ten seconds. The answer has
each tab, the one that was opened first in front, at most ${listedMax}. API keys are no people: 403.`,
  errors: ['not-for-caller'],
  params: oneBot,
  body: renewedPresence,
  data: presences,
  handle: async ({ params, body }, call, { bots }) => {
    const request = { ...params, personId: personOf(call.principal), presenceId: body.id };
    const answer = await bots.renewPresence(request, call.rpc());
    return {
      data: {
        presences: answer.presences.map(({ openedAt, ...row }) => ({
          ...row,
          openedAt: toTimestamp(required(openedAt)),
        })),
      },
    };
  },
});

const endPresence = route({
  method: 'DELETE',
  path: `${path}/{presenceId}`,
  access: 'key',
  scope: 'bots:read',
  operationId: 'endPresence',
  clientMethod: 'bots.endPresence',
  tag: 'Bots',
  summary: 'Say that the calling person has closed the editor of the bot',
  errors: ['not-for-caller'],
  params: oneBot.extend({ presenceId: id.meta({ description: 'The `id` with which it was renewed' }) }),
  takesIfMatch: false,
  data: z.null(),
  handle: async ({ params }, call, { bots }) => {
    await bots.endPresence({ ...params, personId: personOf(call.principal) }, call.rpc());
    return { data: null };
  },
});

export const presenceRoutes: Route[] = [renewPresence, endPresence];

function personOf({ type, id: personId }: Principal): string {
  if (type !== 'person') throw notForCaller('Only a person has an editor open');
  return personId;
}
