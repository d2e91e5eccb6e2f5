import { eventNames } from '@parley/contracts/event-names';
import { webhookLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { required } from '../../values/message.ts';
import { eventName } from './events.ts';
import { toWebhook, webhook } from './present.ts';
import { envelope, filter } from './present-options.ts';
import { mayNotChoose } from '../../http/request/principal.ts';
import { inWorkspace, notForCaller, type Route, route } from '../../http/server/route.ts';
import { id, textSchema } from '../../values/text.ts';

/** The webhook service checks whether the address is allowed. */
export const webhookUrl = textSchema({ min: 1, max: 2048, controlCharacters: 'refused' })
  .refine((value) => /^https?:/i.test(value) && URL.canParse(value), 'Must be an http or https URL')
  // URL parsers remove it, so the API would show another URL than it calls.
  .refine((value) => !/\s$/.test(value), 'Must not end in a space')
  .meta({
    description: 'http or https; a deployment takes public https URLs only',
    format: 'uri',
    pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?:[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f]$`,
    examples: ['https://example.com/parley'],
  });

export const eventList = z
  .array(eventName)
  .min(1)
  .max(eventNames.length)
  .refine((names) => new Set(names).size === names.length, 'Must not name an event twice')
  .meta({ description: 'The events that it gets', examples: [['InteractionCompleted']] });

export const secretToken = textSchema({ min: 1, max: webhookLimits.secretTokenCharactersMax }).meta({
  description: 'Sent as a query parameter of each delivery; unique in the workspace and never shown',
  examples: ['7f3c1a0e9b'],
});

const newWebhook = z
  .strictObject({
    url: webhookUrl,
    secretToken,
    isActive: z.boolean().default(false),
    event: eventName.optional().meta({ description: 'The only event; default: `InteractionCompleted`' }),
    events: eventList.optional(),
    filter: filter
      .nullable()
      .optional()
      .meta({ description: 'null or absent: every event passes', examples: [null] }),
    envelope: envelope.default(false),
  })
  .refine(({ event, events }) => !event || !events, {
    error: 'Must not be given together with event',
    path: ['events'],
  })
  .meta({
    id: 'NewWebhook',
    examples: [{ url: 'https://example.com/parley', secretToken: '7f3c1a0e9b', isActive: true }],
  });

const webhookChange = z.strictObject({ isActive: z.boolean() }).meta({ id: 'WebhookChange' });

export const oneWebhook = inWorkspace.extend({
  webhookId: id.meta({ description: 'The id of the webhook' }),
});

const rotation = z
  .strictObject({
    overlapSeconds: count
      .max(webhookLimits.overlapSecondsMax)
      .default(86_400)
      .meta({ description: 'How long the current secrets continue to sign' }),
  })
  .prefault({})
  .meta({ examples: [{ overlapSeconds: 3600 }] });

const listWebhooks = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'any',
  operationId: 'listWebhooks',
  clientMethod: 'webhooks.list',
  tag: 'Webhooks',
  summary: 'List the webhooks, oldest first',
  params: inWorkspace,
  data: z.array(webhook),
  handle: async ({ params: { workspaceId } }, call, { webhooks }) => {
    const { principal } = call;
    const webhookIds = (principal.type === 'portal' && principal.webhookIds) || [];
    const list = await webhooks.listWebhooks({ workspaceId, webhookIds: [...webhookIds] }, call.rpc());
    return { data: list.webhooks.map(toWebhook) };
  },
});

const getWebhook = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'getWebhook',
  clientMethod: 'webhooks.get',
  tag: 'Webhooks',
  summary: 'Get a webhook',
  params: oneWebhook,
  data: webhook,
  handle: async ({ params }, call, { webhooks }) => {
    const { workspaceId, webhookId } = params;
    const row = await webhooks.getWebhook({ workspaceId, id: webhookId }, call.rpc());
    return { data: toWebhook(row), version: row.version };
  },
});

const createWebhook = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/webhooks',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'unlimited',
  operationId: 'createWebhook',
  clientMethod: 'webhooks.create',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description: 'A portal link creates webhooks only with `personalData` and without `webhookIds`.',
  errors: ['secret-token-in-use', 'too-many-webhooks', 'not-for-caller'],
  params: inWorkspace,
  body: newWebhook,
  data: webhook,
  idempotencyKey: 'accepted',
  handle: async ({ params: { workspaceId }, body }, call, { webhooks }) => {
    const { idempotency, principal } = call;
    if (mayNotChoose(principal)) {
      throw notForCaller(
        'A portal link without personalData cannot create a webhook: it would get personal data',
      );
    }
    const { event, events = event ? [event] : [], envelope: isEnveloped, filter, ...rest } = body;
    const request = { workspaceId, ...rest, events, filter: filter ?? undefined, isEnveloped, idempotency };
    const made = await webhooks.createWebhook(request, call.rpc());
    const row = required(made.webhook);
    return { data: toWebhook(row), version: row.version, replayed: made.replayed };
  },
});

const updateWebhook = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'webhook',
  operationId: 'updateWebhook',
  clientMethod: 'webhooks.update',
  tag: 'Webhooks',
  summary: 'Activate or deactivate a webhook',
  description:
    'An inactive webhook sends nothing and skips due deliveries. `isActive: true` also ends a pause: due ' +
    'deliveries are attempted at once. A portal link with `webhookIds` or without `personalData` cannot activate a webhook ' +
    'that the company has deactivated.',
  errors: ['not-for-caller'],
  params: oneWebhook,
  body: webhookChange,
  data: webhook,
  handle: async ({ params: { workspaceId, webhookId }, body }, call, { webhooks }) => {
    const { ifVersion, principal } = call;
    const change = { workspaceId, id: webhookId, isActive: body.isActive, ifVersion };
    const row = await webhooks.updateWebhook({ ...change, isLimited: mayNotChoose(principal) }, call.rpc());
    return { data: toWebhook(row), version: row.version };
  },
});

const deleteWebhook = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'unlimited',
  operationId: 'deleteWebhook',
  clientMethod: 'webhooks.delete',
  tag: 'Webhooks',
  summary: 'Delete a webhook and cancel its due deliveries',
  params: oneWebhook,
  data: z.null(),
  handle: async ({ params: { workspaceId, webhookId } }, call, { webhooks }) => {
    await webhooks.deleteWebhook({ workspaceId, id: webhookId, ifVersion: call.ifVersion }, call.rpc());
    return { data: null };
  },
});

const rotateSigningSecret = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'webhook',
  operationId: 'rotateSigningSecret',
  clientMethod: 'webhooks.rotateSigningSecret',
  tag: 'Webhooks',
  summary: 'Create a new signing secret, which is shown only once',
  description:
    'Without a body the current secrets sign for another day. A webhook with `asymmetricSignature` also gets a ' +
    'new key pair. An `Idempotency-Key` is rejected (400).',
  params: oneWebhook,
  body: rotation,
  data: z.strictObject({ signingSecret: z.string().meta({ examples: ['whsec_...'] }) }),
  idempotencyKey: 'refused',
  handle: async ({ params: { workspaceId, webhookId }, body }, call, { webhooks }) => {
    const request = { workspaceId, id: webhookId, overlapSeconds: body.overlapSeconds };
    return { data: await webhooks.rotateSigningSecret(request, call.rpc()) };
  },
});

export const webhookRoutes: Route[] = [
  listWebhooks,
  getWebhook,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rotateSigningSecret,
];
