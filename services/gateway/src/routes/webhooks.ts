import { webhookLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { required } from '../values/message.ts';
import type { Peers } from '../peers.ts';
import { toWebhook, webhook } from '../present/webhook.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';
import { id, text } from '../values/text.ts';

// Which addresses may be reached is the webhook service's rule.
const url = text({ min: 1, max: 2048, controlCharacters: 'refused' })
  .refine((value) => /^https?:/i.test(value) && URL.canParse(value), 'Must be an http or https URL')
  // Which a parser takes away, so that another URL would be shown than is called.
  .refine((value) => !/\s$/.test(value), 'Must not end in a blank')
  .meta({
    description: 'http or https; a deployment takes public https URLs only',
    format: 'uri',
    pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?:[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f]$`,
    examples: ['https://example.com/parley'],
  });

const newWebhook = z
  .strictObject({
    url,
    secretToken: text({ min: 1, max: webhookLimits.secretTokenCharactersMax }).meta({
      description: 'Sent as a query parameter of each delivery; unique in the workspace and never shown',
      examples: ['7f3c1a0e9b'],
    }),
    isActive: z.boolean().default(false),
  })
  .meta({ id: 'NewWebhook' });

const webhookChange = z.strictObject({ isActive: z.boolean() }).meta({ id: 'WebhookChange' });

/** Path parameters of everything about one webhook. */
export const oneWebhook = inWorkspace.extend({
  webhookId: id.meta({ description: 'The id of the webhook' }),
});

const rotation = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(webhookLimits.overlapSecondsMax)
      .default(86_400)
      .meta({ description: 'How long the present secrets go on signing' }),
  })
  .prefault({})
  .meta({ examples: [{ overlapSeconds: 3600 }] });

/** Webhooks: who is told of completed interactions. */
export function webhookRoutes({ webhooks }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks',
      access: 'key',
      operationId: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'List the webhooks, oldest first',
      params: inWorkspace,
      data: z.array(webhook),
      handle: async ({ params }, call) => {
        const list = await webhooks.listWebhooks({ workspaceId: params.workspaceId }, call.rpc());
        return { data: list.webhooks.map(toWebhook) };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
      access: 'key',
      operationId: 'getWebhook',
      tag: 'Webhooks',
      summary: 'Get a webhook',
      params: oneWebhook,
      data: webhook,
      handle: async ({ params }, call) => {
        const { workspaceId, webhookId } = params;
        const row = await webhooks.getWebhook({ workspaceId, id: webhookId }, call.rpc());
        return { data: toWebhook(row), version: row.version };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/webhooks',
      access: 'key',
      operationId: 'createWebhook',
      tag: 'Webhooks',
      summary: 'Create a webhook',
      errors: ['secret-token-in-use', 'too-many-webhooks'],
      params: inWorkspace,
      body: newWebhook,
      data: webhook,
      idempotencyKey: 'accepted',
      handle: async ({ params: { workspaceId }, body }, call) => {
        const { idempotency } = call;
        const made = await webhooks.createWebhook({ workspaceId, ...body, idempotency }, call.rpc());
        const row = required(made.webhook);
        return { data: toWebhook(row), version: row.version, replayed: made.replayed };
      },
    }),
    route({
      method: 'PATCH',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
      access: 'key',
      operationId: 'updateWebhook',
      tag: 'Webhooks',
      summary: 'Switch a webhook on or off',
      description:
        'While it is off nothing is sent, and what is due is skipped. `isActive: true` also ends a pause: what is due is tried at once.',
      errors: ['lost-race'],
      params: oneWebhook,
      body: webhookChange,
      data: webhook,
      handle: async ({ params: { workspaceId, webhookId }, body }, call) => {
        const change = { workspaceId, id: webhookId, isActive: body.isActive, ifVersion: call.ifVersion };
        const row = await webhooks.updateWebhook(change, call.rpc());
        return { data: toWebhook(row), version: row.version };
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}',
      access: 'key',
      operationId: 'deleteWebhook',
      tag: 'Webhooks',
      summary: 'Delete a webhook; what was due to it is cancelled',
      errors: ['lost-race'],
      params: oneWebhook,
      data: z.null(),
      handle: async ({ params: { workspaceId, webhookId } }, call) => {
        await webhooks.deleteWebhook({ workspaceId, id: webhookId, ifVersion: call.ifVersion }, call.rpc());
        return { data: null };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate',
      access: 'key',
      operationId: 'rotateSigningSecret',
      tag: 'Webhooks',
      summary: 'Make a new signing secret; it is shown this once',
      description:
        'Without a body the present secrets go on signing for a day. A webhook with `asymmetricSignature` gets a new pair of keys as well. An `Idempotency-Key` is refused (400).',
      params: oneWebhook,
      body: rotation,
      data: z.strictObject({ signingSecret: z.string().meta({ examples: ['whsec_...'] }) }),
      idempotencyKey: 'refused',
      handle: async ({ params: { workspaceId, webhookId }, body }, call) => {
        const request = { workspaceId, id: webhookId, overlapSeconds: body.overlapSeconds };
        return { data: await webhooks.rotateSigningSecret(request, call.rpc()) };
      },
    }),
  ];
}
