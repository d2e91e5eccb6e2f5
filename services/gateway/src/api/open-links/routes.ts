import { openLinkLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { qrCode } from '../../http/answer/qr-code.ts';
import { type Route, route } from '../../http/server/route.ts';
import { positive } from '../../values/count.ts';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import { shortList } from '../../values/short-list.ts';
import { id, textSchema } from '../../values/text.ts';
import { instant } from '../../values/timestamp.ts';
import { oneBot } from '../bots/routes.ts';
import { qrDescription, qrFiles, qrQuery } from '../interactions/qr.ts';
import { openLink, toOpenLink } from './present.ts';

const { nameCharactersMax, contextKeysMax, pageSizeMax, perBotMax, continuedDays } = openLinkLimits;

const name = textSchema({
  min: 1,
  max: nameCharactersMax,
  controlCharacters: 'refused',
  blank: 'refused',
}).meta({
  description: 'For people: it is in lists',
  examples: ['Table 7'],
});

const expiresAt = instant.nullable().meta({ description: 'Null: it does not expire' });

const responsesMax = positive
  .max(openLinkLimits.responsesMax)
  .nullable()
  .meta({ description: 'How many conversations it begins at most. Null: any number', examples: [500] });

const contextKeys = shortList(
  contextKeysMax,
  z
    .array(textSchema({ min: 1, max: 255 }))
    .refine((keys) => new Set(keys).size === keys.length, 'Must not name a key twice'),
).meta({ description: 'The parameters of the URL that become context; the bot must declare them' });

const newOpenLink = z
  .strictObject({
    name,
    expiresAt: expiresAt.optional(),
    responsesMax: responsesMax.optional(),
    contextKeys: contextKeys.default([]),
    isTest: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether its conversations are tests, which no figure counts',
        examples: [false],
      }),
  })
  .meta({ id: 'NewOpenLink', examples: [{ name: 'Table 7', responsesMax: 500 }] });

const openLinkChange = z
  .strictObject({
    name,
    expiresAt,
    responsesMax,
    contextKeys,
    isClosed: z.boolean().meta({ description: 'True: it takes no responses until it is opened again' }),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must have at least one field')
  .meta({ id: 'OpenLinkChange', minProperties: 1, examples: [{ isClosed: true }] });

const path = '/v1/workspaces/{workspaceId}/bots/{botId}/open-links';

const oneOpenLink = oneBot.extend({ openLinkId: id.meta({ description: 'The id of the open link' }) });

const createOpenLink = route({
  method: 'POST',
  path,
  access: 'key',
  scope: 'bots:write',
  operationId: 'createOpenLink',
  clientMethod: 'bots.openLinks.create',
  tag: 'Open links',
  summary: 'Create a link by which anybody can hold a conversation with the bot',
  description: `Opening the \`url\` changes nothing. Who presses “Start” there gets an interaction for a new customer, whose
id is \`anonymous-\` and 32 hexadecimal digits. The same browser continues it for ${continuedDays} days. A parameter of the URL that
\`contextKeys\` names becomes context, as a text: \`?table=7\`. A bot has at most ${perBotMax} open links.`,
  errors: ['too-many-open-links'],
  params: oneBot,
  body: newOpenLink,
  data: openLink,
  idempotencyKey: 'accepted',
  handle: async ({ params, body }, call, { openLinks, landingUrl }) => {
    const { expiresAt: end = null, responsesMax: most, ...rest } = body;
    const { principal, idempotency } = call;
    const fields = { ...rest, expiresAt: end, responsesMax: most ?? undefined };
    const request = { ...params, ...fields, createdBy: principal.id, idempotency };
    const { link, replayed } = await openLinks.createOpenLink(request, call.rpc());
    const { version } = required(link);
    return { data: toOpenLink(required(link), landingUrl), version, replayed };
  },
});

const listOpenLinks = route({
  method: 'GET',
  path,
  access: 'key',
  scope: 'bots:read',
  operationId: 'listOpenLinks',
  clientMethod: 'bots.openLinks.list',
  tag: 'Open links',
  summary: 'List the open links of a bot, newest first',
  params: oneBot,
  query: cursorQuery(pageSizeMax),
  data: z.array(openLink),
  handle: async ({ params, query: { cursor = '', limit } }, call, { openLinks, landingUrl }) => {
    const { links, nextCursor } = await openLinks.listOpenLinks({ ...params, cursor, limit }, call.rpc());
    return { data: links.map((row) => toOpenLink(row, landingUrl)), meta: cursorMeta(nextCursor) };
  },
});

const getOpenLink = route({
  method: 'GET',
  path: `${path}/{openLinkId}`,
  access: 'key',
  scope: 'bots:read',
  operationId: 'getOpenLink',
  clientMethod: 'bots.openLinks.get',
  tag: 'Open links',
  summary: 'Get an open link',
  params: oneOpenLink,
  data: openLink,
  handle: async ({ params }, call, { openLinks, landingUrl }) => {
    const row = await openLinks.getOpenLink(params, call.rpc());
    return { data: toOpenLink(row, landingUrl), version: row.version };
  },
});

const getOpenLinkQr = route({
  method: 'GET',
  path: `${path}/{openLinkId}/qr`,
  access: 'key',
  scope: 'bots:read',
  operationId: 'getOpenLinkQr',
  clientMethod: 'bots.openLinks.qr',
  tag: 'Open links',
  summary: 'Get an open link as a QR code',
  description: qrDescription,
  params: oneOpenLink,
  query: qrQuery,
  data: z.null(),
  files: qrFiles,
  handle: async ({ params, query }, call, { openLinks, landingUrl }) => {
    const row = await openLinks.getOpenLink(params, call.rpc());
    const { url } = toOpenLink(row, landingUrl);
    return { data: null, file: qrCode(url, query.format), version: row.version };
  },
});

const updateOpenLink = route({
  method: 'PATCH',
  path: `${path}/{openLinkId}`,
  access: 'key',
  scope: 'bots:write',
  operationId: 'updateOpenLink',
  clientMethod: 'bots.openLinks.update',
  tag: 'Open links',
  summary: 'Change an open link; its URL stays',
  description: 'Conversations that it has begun go on, also after it is closed.',
  params: oneOpenLink,
  body: openLinkChange,
  data: openLink,
  handle: async ({ params, body }, call, { openLinks, landingUrl }) => {
    const { expiresAt: end, responsesMax: most, contextKeys: keys, ...rest } = body;
    const request = {
      ...params,
      ...rest,
      expiresAt: end ?? null,
      neverExpires: end === null,
      responsesMax: most === null ? 0 : most,
      context: keys ? { keys } : null,
      ifVersion: call.ifVersion,
    };
    const row = await openLinks.updateOpenLink(request, call.rpc());
    return { data: toOpenLink(row, landingUrl), version: row.version };
  },
});

const deleteOpenLink = route({
  method: 'DELETE',
  path: `${path}/{openLinkId}`,
  access: 'key',
  scope: 'bots:write',
  operationId: 'deleteOpenLink',
  clientMethod: 'bots.openLinks.delete',
  tag: 'Open links',
  summary: 'Delete an open link',
  description: 'Its page then says that the link is closed. Conversations that it has begun stay, and go on.',
  params: oneOpenLink,
  data: z.null(),
  handle: async ({ params }, call, { openLinks }) => {
    await openLinks.deleteOpenLink({ ...params, ifVersion: call.ifVersion }, call.rpc());
    return { data: null };
  },
});

export const openLinkRoutes: Route[] = [
  listOpenLinks,
  getOpenLink,
  getOpenLinkQr,
  createOpenLink,
  updateOpenLink,
  deleteOpenLink,
];
