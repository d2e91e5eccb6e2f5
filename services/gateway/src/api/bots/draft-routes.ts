import type { BotDraft } from '@parley/contracts/interaction/v1/bot';
import { splitMembers } from '@parley/runtime/json/json-scan';
import { z } from 'zod';
import { inWorkspace, type Route, type RouteAnswer, route } from '../../http/server/route.ts';
import { positive } from '../../values/count.ts';
import { required } from '../../values/message.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp } from '../../values/timestamp.ts';
import { definition, exampleDefinition, oneBot, versionNumber } from './routes.ts';

const savedFields = {
  baseVersion: positive.meta({ description: 'The version of the bot from which it began', examples: [3] }),
  updatedAt: timestamp,
  updatedBy: z
    .string()
    .meta({ description: 'The API key, the id of the person, or `operator`', examples: ['operator'] }),
};

/** The definition is the last member. */
const draft = z
  .strictObject({
    ...savedFields,
    faults: z
      .array(
        z.strictObject({
          pointer: z.string().meta({ description: 'A place in the definition', examples: ['/steps/0/text'] }),
          detail: z.string().meta({ examples: ['The definition has no step "why".'] }),
        }),
      )
      .meta({ description: 'Why it cannot be published; at most 100', examples: [[]] }),
    definition: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Byte for byte as it was saved', examples: [exampleDefinition] }),
  })
  .meta({ id: 'BotDraft' });

const draftEntry = z.strictObject({ botId: id, ...savedFields }).meta({ id: 'BotDraftEntry' });

const newDraft = z
  .strictObject({
    definition,
    baseVersion: versionNumber.optional().meta({
      description: 'The version from which it began. Without it: as before, or else the live version',
      examples: [1],
    }),
  })
  .meta({ id: 'NewBotDraft' });

const path = '/v1/workspaces/{workspaceId}/bots/{botId}/draft';

const getDraft = route({
  method: 'GET',
  path,
  access: 'key',
  scope: 'bots:read',
  operationId: 'getBotDraft',
  clientMethod: 'bots.getDraft',
  tag: 'Bots',
  summary: 'Get the draft of a bot with its faults',
  params: oneBot,
  data: draft,
  handle: async ({ params }, call, { bots }) => shown(await bots.getBotDraft(params, call.rpc())),
});

const saveDraft = route({
  method: 'PUT',
  path,
  access: 'key',
  scope: 'bots:write',
  operationId: 'saveBotDraft',
  clientMethod: 'bots.saveDraft',
  tag: 'Bots',
  summary: 'Save a definition as the draft of a bot; it may have faults',
  description:
    'A draft changes nothing that customers see. Needs `If-Match` with the ETag of the draft that it replaces, or ' +
    '`If-None-Match: *` for the first one. 412 says who has saved the current draft, and when. A repetition of the ' +
    'last save succeeds.',
  errors: ['lost-race'],
  params: oneBot,
  body: newDraft,
  keepsText: true,
  data: draft,
  handle: async ({ params, body, text }, call, { bots }) => {
    const { ifVersion, ifAbsent, principal } = call;
    const definition = splitMembers(text).find(({ name }) => name === 'definition')?.value ?? '{}';
    const { baseVersion } = body;
    const request = { ...params, definition, baseVersion, updatedBy: principal.id, ifVersion, ifAbsent };
    return shown(await bots.saveBotDraft(request, call.rpc()));
  },
});

const discardDraft = route({
  method: 'DELETE',
  path,
  access: 'key',
  scope: 'bots:write',
  operationId: 'discardBotDraft',
  clientMethod: 'bots.discardDraft',
  tag: 'Bots',
  summary: 'Discard the draft of a bot',
  errors: ['lost-race'],
  params: oneBot,
  data: z.null(),
  handle: async ({ params }, call, { bots }) => {
    await bots.discardBotDraft({ ...params, ifVersion: call.ifVersion }, call.rpc());
    return { data: null };
  },
});

const listDrafts = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/bot-drafts',
  access: 'key',
  scope: 'bots:read',
  operationId: 'listBotDrafts',
  clientMethod: 'bots.listDrafts',
  tag: 'Bots',
  summary: 'List which bots have a draft, the last saved first',
  params: inWorkspace,
  data: z.array(draftEntry),
  handle: async ({ params }, call, { bots }) => {
    const { drafts } = await bots.listBotDrafts(params, call.rpc());
    return { data: drafts.map((row) => ({ botId: row.botId, ...savedOf(row) })) };
  },
});

export const botDraftRoutes: Route[] = [listDrafts, getDraft, saveDraft, discardDraft];

function savedOf({ baseVersion, updatedAt, updatedBy }: BotDraft) {
  return { baseVersion, updatedAt: toTimestamp(required(updatedAt)), updatedBy };
}

function shown(row: BotDraft): RouteAnswer<z.input<typeof draft>> {
  const data = { ...savedOf(row), faults: row.faults, definition: {} };
  return { data, lastMember: row.definition, version: row.version };
}
