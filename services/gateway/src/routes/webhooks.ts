import { z } from 'zod';
import { required } from '../message.ts';
import type { Peers } from '../peers.ts';
import { toWebhook, webhook } from '../present/webhook.ts';
import { inWorkspace, type Route, route } from '../route.ts';
import { id, text } from '../text.ts';

// Which addresses may be reached is the webhook service's rule.
const url = text({ min: 1, max: 2048 }).refine(
  (value) => /^https?:/i.test(value) && URL.canParse(value),
  'Must be an http or https URL',
);

const newWebhook = z.strictObject({
  url,
  secretToken: text({ min: 1, max: 256 }),
  isActive: z.boolean().default(false),
});

const oneWebhook = inWorkspace.extend({ webhookId: id });

const rotation = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(86_400)
      .meta({ description: 'How long the present secrets go on signing' }),
  })
  .prefault({});

/** Webhooks: who is told of completed interactions. */
export function webhookRoutes({ webhooks }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks',
      access: 'key',
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
      summary: 'Create a webhook',
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
      summary: 'Switch a webhook on or off',
      params: oneWebhook,
      body: z.strictObject({ isActive: z.boolean() }),
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
      summary: 'Delete a webhook; what was due to it is cancelled',
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
      summary: 'Make a new signing secret; it is shown this once',
      params: oneWebhook,
      body: rotation,
      data: z.strictObject({ signingSecret: z.string() }),
      idempotencyKey: 'refused',
      handle: async ({ params: { workspaceId, webhookId }, body }, call) => {
        const request = { workspaceId, id: webhookId, overlapSeconds: body.overlapSeconds };
        return { data: await webhooks.rotateSigningSecret(request, call.rpc()) };
      },
    }),
  ];
}
