import type { PublishBotResponse } from '@parley/contracts/interaction/v1/bot';
import { botVersionLimits } from '@parley/contracts/limits';
import type { CallOptions } from '@parley/rpc/definition';
import { z } from 'zod';
import { continuationOf } from '../../http/answer/long-list.ts';
import { required } from '../../values/message.ts';
import {
  bot,
  botVersion,
  botVersionWithDefinition,
  publishedBot,
  toBot,
  toBotVersion,
  toPublishedBot,
} from './present.ts';
import { type RouteAnswer, inWorkspace, type Route, route } from '../../http/server/route.ts';
import { shortRecord } from '../../values/short-list.ts';
import { positive } from '../../values/count.ts';
import { wholeNumber } from '../../values/query.ts';
import { botKey, id, jsonValue, textSchema } from '../../values/text.ts';
import { definitionIn, pointerInBody } from './publication.ts';
import { definitionFrom } from './templates.ts';

/** The largest number of fields of a bot's definition: it has some ten, and each one of them is checked by itself. */
export const definitionFieldsMax = 100;

export const exampleDefinition = {
  schemaVersion: 1,
  key: 'tea-rating',
  name: 'Tea rating',
  type: 'Rating',
  context: [{ name: 'productName', default: 'our tea' }],
  evaluation: { rating: {} },
  steps: [
    {
      id: 'rating',
      kind: 'ask',
      text: 'How do you like {{context.productName}}?',
      input: { type: 'rating', max: 5 },
      evaluation: 'rating',
    },
    { id: 'bye', kind: 'end', text: 'Thank you!' },
  ],
};

// The interaction service validates the definition.
export const definition = shortRecord(definitionFieldsMax, z.record(z.string(), jsonValue)).meta({
  id: 'BotDefinition',
  description:
    'A conversation as data: at least `schemaVersion`, `key`, `name`, `type` and `steps`. It has its own JSON ' +
    'Schema (bot-v1).',
  examples: [exampleDefinition],
});

/** A 32-bit integer. */
const versionNumberMax = 2 ** 31 - 1;

export const versionNumber = positive.max(versionNumberMax);

const publicationFields = z
  .object({
    definition: definition.optional(),
    restore: versionNumber
      .optional()
      .meta({ description: 'Instead of a definition: the version to publish again as a new one' }),
    publishDraft: z
      .literal(true)
      .optional()
      .meta({ description: 'Instead of a definition: publishes the draft of the bot, and removes it' }),
    expectedVersion: versionNumber
      .optional()
      .meta({ description: 'The version that must be live: otherwise 409' }),
    note: textSchema({ max: botVersionLimits.noteCharactersMax, controlCharacters: 'refused' })
      .optional()
      .meta({ description: 'Why it is published' }),
  })
  .catchall(jsonValue);

const publication = shortRecord(definitionFieldsMax, publicationFields).meta({
  id: 'NewBotVersion',
  description:
    'A definition, in `definition` or as the body itself with these fields beside its own; or `restore` or ' +
    '`publishDraft` without one.',
  examples: [{ note: 'Thank the customer', definition: exampleDefinition }],
});

export const oneBot = inWorkspace.extend({ botId: id.meta({ description: 'The id of the bot' }) });

const byKey = z.object({ key: botKey.optional().meta({ description: 'Only the bot with this key' }) });

const listBots = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/bots',
  access: 'key',
  scope: 'bots:read',
  operationId: 'listBots',
  clientMethod: 'bots.list',
  tag: 'Bots',
  summary: 'List the bots, oldest first',
  params: inWorkspace,
  query: byKey,
  data: z.array(bot),
  handle: async ({ params: { workspaceId }, query: { key } }, call, { bots, lists }) => {
    const load = async (after: string | undefined, rpc: () => CallOptions) => {
      const { bots: rows, ...part } = await bots.listBots({ workspaceId, key, after }, rpc());
      return { rows, ...part };
    };
    const list = await lists.first(() => load(undefined, call.rpc));
    return { data: list.rows.map(toBot), continuation: continuationOf(list, toBot, load) };
  },
});

const getBot = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/bots/{botId}',
  access: 'key',
  scope: 'bots:read',
  operationId: 'getBot',
  clientMethod: 'bots.get',
  tag: 'Bots',
  summary: 'Get a bot',
  params: oneBot,
  data: bot,
  handle: async ({ params }, call, { bots }) => {
    const row = await bots.getBot({ workspaceId: params.workspaceId, id: params.botId }, call.rpc());
    return { data: toBot(row), version: row.version };
  },
});

const createBot = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/bots',
  access: 'key',
  scope: 'bots:write',
  operationId: 'createBot',
  clientMethod: 'bots.create',
  tag: 'Bots',
  summary: 'Create a bot from its definition, or from a template',
  description:
    'Instead of a definition, the body may have the id of a `template`, with the `key` and the `name` of the bot, and ' +
    'its language in `locale`. Each of them is optional.',
  errors: ['bot-key-in-use', 'too-many-bots'],
  params: inWorkspace,
  body: definition,
  data: publishedBot,
  idempotencyKey: 'accepted',
  keepsText: true,
  handle: async ({ params: { workspaceId }, body, text }, call, { bots }) => {
    const { idempotency, principal } = call;
    const definition = body['template'] === undefined ? text : definitionFrom(body);
    const request = { workspaceId, definition, idempotency, publishedBy: principal.id };
    return published(await bots.createBot(request, call.rpc()));
  },
});

const publishBotVersion = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions',
  access: 'key',
  scope: 'bots:write',
  operationId: 'publishBotVersion',
  clientMethod: 'bots.publishVersion',
  tag: 'Bots',
  summary: 'Publish a new version of a bot; started conversations keep theirs',
  description:
    'An unchanged definition creates no version. A version that is restored always becomes a new one, also the live ' +
    'one. `publishDraft` publishes the draft and removes it, both or neither: a draft with faults is refused with ' +
    'them, and stays. `If-Match` has the ETag of the draft, and is only for that.',
  errors: ['lost-race', 'too-many-bot-versions', 'unexpected-bot-version'],
  params: oneBot,
  body: publication,
  takesIfMatch: true,
  keepsText: true,
  data: publishedBot,
  idempotencyKey: 'accepted',
  handle: async ({ params: { workspaceId, botId }, body, text: bodyText }, call, { bots }) => {
    const { expectedVersion, note, restore, publishDraft = false } = body;
    const request = {
      workspaceId,
      id: botId,
      definition: definitionIn(body, bodyText),
      idempotency: call.idempotency,
      publishedBy: call.principal.id,
      expectedVersion,
      note,
      restore,
      publishDraft,
      ifDraftVersion: publishDraft ? call.ifVersion : undefined,
    };
    return published(
      await bots.publishBotVersion(request, call.rpc()).catch((error: unknown) => {
        throw pointerInBody(error, body);
      }),
    );
  },
});

const getBotVersion = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions/{version}',
  access: 'key',
  scope: 'bots:read',
  operationId: 'getBotVersion',
  clientMethod: 'bots.getVersion',
  tag: 'Bots',
  summary: 'Get a version of a bot with its definition',
  params: oneBot.extend({
    version: wholeNumber(1, versionNumberMax).meta({ description: 'Its number', examples: [1] }),
  }),
  data: botVersionWithDefinition,
  handle: async ({ params: { workspaceId, botId, version } }, call, { bots }) => {
    const answer = await bots.getBotVersion({ workspaceId, id: botId, version }, call.rpc());
    const data = { ...toBotVersion(required(answer.version)), key: answer.key, definition: {} };
    return { data, lastMember: answer.definition };
  },
});

const listBotVersions = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/bots/{botId}/versions',
  access: 'key',
  scope: 'bots:read',
  operationId: 'listBotVersions',
  clientMethod: 'bots.listVersions',
  tag: 'Bots',
  summary: 'List the versions of a bot, newest first',
  params: oneBot,
  data: z.array(botVersion),
  handle: async ({ params: { workspaceId, botId } }, call, { bots, lists }) => {
    const load = async (after: number | undefined, rpc: () => CallOptions) => {
      const request = { workspaceId, id: botId, after };
      const { versions: rows, ...part } = await bots.listBotVersions(request, rpc());
      return { rows, ...part };
    };
    const list = await lists.first(() => load(undefined, call.rpc));
    // Versions do not change but for `isLive`, so the first part identifies the list.
    return { data: list.rows.map(toBotVersion), continuation: continuationOf(list, toBotVersion, load) };
  },
});

export const botRoutes: Route[] = [
  listBots,
  getBot,
  createBot,
  publishBotVersion,
  listBotVersions,
  getBotVersion,
];

function published(response: PublishBotResponse): RouteAnswer<z.input<typeof publishedBot>> {
  const row = required(response.bot);
  return { data: toPublishedBot(row), version: row.version, replayed: response.replayed };
}
