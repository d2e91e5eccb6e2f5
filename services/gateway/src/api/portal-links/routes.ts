import { portalLimits } from '@parley/contracts/limits';
import { type Fault, invalidRequest } from '@parley/runtime/errors';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { portalLink, toPortalLink } from './present.ts';
import { positive } from '../../values/count.ts';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import { shortList } from '../../values/short-list.ts';
import { id, textSchema } from '../../values/text.ts';

const { expiresInSecondsMax, nameCharactersMax, webhookIdsMax, pageSizeMax } = portalLimits;

const newLink = z
  .strictObject({
    name: textSchema({ max: nameCharactersMax, controlCharacters: 'refused' })
      .default('')
      .meta({ description: 'For people: it is in lists and in the audit log', examples: ['Shop team'] }),
    webhookIds: shortList(
      webhookIdsMax,
      z
        .array(id)
        .min(1)
        .refine((ids) => new Set(ids).size === ids.length, 'Must not name a webhook twice'),
    )
      .optional()
      .meta({ description: 'The webhooks that it shows. Default: all, also later ones' }),
    personalData: z.boolean().default(false).meta({
      description:
        'Whether it shows bodies of deliveries, which have whole conversations, and what receivers have answered',
    }),
    expiresInSeconds: positive
      .max(expiresInSecondsMax)
      .default(3_600)
      .meta({
        description:
          'When the link and its session end, from now on. They end with the calling key, at the latest',
        examples: [3_600],
      }),
  })
  .prefault({})
  .meta({ id: 'NewPortalLink', examples: [{ name: 'Shop team', expiresInSeconds: 3_600 }] });

const oneLink = inWorkspace.extend({
  portalLinkId: id.meta({ description: 'The id of the portal link' }),
});

const createPortalLink = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/webhooks/portal-links',
  access: 'key',
  scope: 'webhooks:write',
  operationId: 'createPortalLink',
  clientMethod: 'webhooks.portalLinks.create',
  tag: 'Portal',
  summary: 'Create a link that opens the webhook screens without an account; its URL is shown only once',
  description: `The link works once. Who opens it can do what \`webhooks:read\` and \`webhooks:write\` allow, and the
caller must have both (\`missing-scope\`). With \`webhookIds\`, other webhooks are hidden, none can be created or
deleted, and the events and the filter stay. \`personalData\` needs \`personal-data:read\`. An \`Idempotency-Key\` is
rejected (400).`,
  errors: ['too-many-portal-links', 'lost-race'],
  params: inWorkspace,
  body: newLink,
  data: portalLink
    .extend({
      url: z.string().meta({
        examples: ['https://parley.example/console/portal/01939f6a-2f40-7c3a-9d55-0123456789ab#prl_plk_...'],
      }),
    })
    .meta({ id: 'CreatedPortalLink' }),
  idempotencyKey: 'refused',
  handle: async ({ params: { workspaceId }, body }, call, { identity, webhooks, publicUrl }) => {
    const { webhookIds = [], ...rest } = body;
    if (webhookIds.length > 0) {
      const known = await webhooks.listWebhooks({ workspaceId, webhookIds }, call.rpc());
      requireKnown(
        webhookIds,
        known.webhooks.map((row) => row.id),
      );
    }
    const { version: callerVersion } = call.principal;
    const made = await identity.createPortalLink(
      { workspaceId, callerVersion, webhookIds, ...rest },
      call.rpc(),
    );
    const url = `${publicUrl}/console/portal/${workspaceId}#${made.code}`;
    return { data: { ...toPortalLink(required(made.link)), url } };
  },
});

function requireKnown(webhookIds: readonly string[], known: readonly string[]): void {
  const faults = webhookIds.flatMap((one, index): Fault[] =>
    known.includes(one)
      ? []
      : [{ pointer: `/webhookIds/${index}`, detail: 'Is not a webhook of the workspace' }],
  );
  if (faults.length > 0) throw invalidRequest(faults);
}

const listPortalLinks = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/portal-links',
  access: 'key',
  scope: 'webhooks:read',
  operationId: 'listPortalLinks',
  clientMethod: 'webhooks.portalLinks.list',
  tag: 'Portal',
  summary: 'List the portal links, newest first',
  description: 'A link is in the list until a day after its end.',
  params: inWorkspace,
  query: cursorQuery(pageSizeMax),
  data: z.array(portalLink),
  handle: async ({ params: { workspaceId }, query: { cursor = '', limit } }, call, { identity }) => {
    const list = await identity.listPortalLinks({ workspaceId, cursor, limit }, call.rpc());
    return { data: list.links.map(toPortalLink), meta: cursorMeta(list.nextCursor) };
  },
});

const revokePortalLink = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/webhooks/portal-links/{portalLinkId}',
  access: 'key',
  scope: 'webhooks:write',
  operationId: 'revokePortalLink',
  clientMethod: 'webhooks.portalLinks.revoke',
  tag: 'Portal',
  summary: 'Revoke a portal link, and end its session',
  description:
    'After the answer, no gateway accepts the link or its session. The record stays, with `revokedAt`.',
  params: oneLink,
  data: z.null(),
  // The usual limit, and the three seconds that a change waits for a gateway that cannot be notified.
  timeoutMs: 8_000,
  handle: async ({ params }, call, { identity }) => {
    await identity.revokePortalLink(params, call.rpc());
    return { data: null };
  },
});

/** Links that open the webhook screens to somebody without an account. */
export const portalLinkRoutes: Route[] = [createPortalLink, listPortalLinks, revokePortalLink];
