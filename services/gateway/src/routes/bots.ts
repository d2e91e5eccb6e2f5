import type { PublishBotResponse } from '@parley/contracts/interaction/v1/bot';
import { z } from 'zod';
import { required } from '../message.ts';
import type { Peers } from '../peers.ts';
import { bot, botVersion, publishedBot, toBot, toBotVersion, toPublishedBot } from '../present/bot.ts';
import { type Answer, inWorkspace, type Route, route } from '../route.ts';
import { id, jsonValue } from '../text.ts';

// The interaction service checks the definition, and names every fault of it.
const definition = z.record(z.string(), jsonValue);

const oneBot = inWorkspace.extend({ botId: id });

/** Bots and their versions. */
export function botRoutes({ bots }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/bots',
      access: 'key',
      summary: 'List the bots, oldest first',
      params: inWorkspace,
      data: z.array(bot),
      handle: async ({ params }, call) => {
        const list = await bots.listBots({ workspaceId: params.workspaceId }, call.rpc());
        return { data: list.bots.map(toBot) };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/bots/{botId}',
      access: 'key',
      summary: 'Get a bot',
      params: oneBot,
      data: bot,
      handle: async ({ params }, call) => {
        const row = await bots.getBot({ workspaceId: params.workspaceId, id: params.botId }, call.rpc());
        return { data: toBot(row), version: row.version };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/bots',
      access: 'key',
      summary: 'Create a bot from its definition',
      params: inWorkspace,
      body: definition,
      data: publishedBot,
      idempotencyKey: 'accepted',
      handle: async ({ params: { workspaceId }, body }, call) => {
        const request = { workspaceId, definition: JSON.stringify(body), idempotency: call.idempotency };
        return published(await bots.createBot(request, call.rpc()));
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions',
      access: 'key',
      summary: 'Publish a new version of a bot; talks that have begun keep theirs',
      params: oneBot,
      body: definition,
      data: publishedBot,
      idempotencyKey: 'accepted',
      handle: async ({ params: { workspaceId, botId }, body }, call) => {
        const text = JSON.stringify(body);
        const request = { workspaceId, id: botId, definition: text, idempotency: call.idempotency };
        return published(await bots.publishBotVersion(request, call.rpc()));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions',
      access: 'key',
      summary: 'List the versions of a bot, newest first',
      params: oneBot,
      data: z.array(botVersion),
      handle: async ({ params: { workspaceId, botId } }, call) => {
        const list = await bots.listBotVersions({ workspaceId, id: botId }, call.rpc());
        return { data: list.versions.map(toBotVersion) };
      },
    }),
  ];
}

function published(response: PublishBotResponse): Answer<z.input<typeof publishedBot>> {
  const row = required(response.bot);
  return { data: toPublishedBot(row), version: row.version, replayed: response.replayed };
}
