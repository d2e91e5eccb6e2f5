import { webhookLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { cursorMeta, cursorQuery } from '../values/cursor.ts';
import { required } from '../values/message.ts';
import type { Peers } from '../peers.ts';
import { attempt, delivery, deliveryState, messageId, toAttempt, toDelivery } from '../present/delivery.ts';
import { toWebhookStats, webhookStats } from '../present/webhook-stats.ts';
import { type Route, route } from '../http/route.ts';
import { id } from '../values/text.ts';
import { instant, isBefore } from '../values/timestamp.ts';
import { oneWebhook } from './webhooks.ts';

const { deliveriesMax, attemptsMax, daysKept } = webhookLimits;

const filters = cursorQuery(deliveriesMax)
  .extend({
    state: deliveryState
      .exclude(['discarded'])
      .optional()
      .meta({ description: 'Only those in this state', examples: ['failed'] }),
    interactionId: id.optional().meta({
      description: "Only what was sent of this interaction's completion; of an unknown one, nothing",
    }),
    eventId: messageId.optional().meta({
      description:
        'Only what was sent of this event, also of a test: the `webhook-id` of its requests, which is the `webhookMessageId` of a delivery; the UUID in it will do',
    }),
    since: instant.optional().meta({
      description:
        'Only those that were made then or later; an instant with a zone (RFC 3339), or as the API writes it, in UTC',
    }),
    until: instant.optional().meta({ description: 'Only those that were made before that instant' }),
  })
  .refine(isBefore, { path: ['until'], error: 'Must be after since' });

const oneDelivery = oneWebhook.extend({
  deliveryId: id.meta({ description: 'The id of the delivery' }),
});

/** What was and will be sent to a webhook: the log, and to send something again. */
export function deliveryRoutes({ deliveries }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries',
      access: 'key',
      operationId: 'listDeliveries',
      tag: 'Deliveries',
      summary: 'List what was and will be sent to a webhook, newest first',
      description: `What has come to its end is kept for ${daysKept} days.`,
      params: oneWebhook,
      query: filters,
      data: z.array(delivery),
      handle: async ({ params, query }, call) => {
        const { state, since = null, until = null, interactionId = null, eventId = null } = query;
        const { cursor = '', limit } = query;
        const states = state === undefined ? [] : [state];
        const list = await deliveries.listDeliveries(
          { ...params, states, since, until, interactionId, eventId, cursor, limit },
          call.rpc(),
        );
        return { data: list.deliveries.map(toDelivery), meta: cursorMeta(list.nextCursor) };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}',
      access: 'key',
      operationId: 'getDelivery',
      tag: 'Deliveries',
      summary: 'Get a delivery',
      params: oneDelivery,
      data: delivery,
      handle: async ({ params: { deliveryId, ...webhook } }, call) => {
        return { data: toDelivery(await deliveries.getDelivery({ ...webhook, id: deliveryId }, call.rpc())) };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/attempts',
      access: 'key',
      operationId: 'listAttempts',
      tag: 'Deliveries',
      summary: 'List the attempts of a delivery, first to last',
      description: `An attempt is kept for ${daysKept} days. A 429 or 503 that pauses the webhook is here too, but does
not count as an attempt: \`isCounted\` is false, and the next one has the same \`number\`. Of these a delivery keeps the
newest ten.`,
      params: oneDelivery,
      query: cursorQuery(attemptsMax),
      data: z.array(attempt),
      handle: async ({ params, query: { cursor = '', limit } }, call) => {
        const list = await deliveries.listAttempts({ ...params, cursor, limit }, call.rpc());
        return { data: list.attempts.map(toAttempt), meta: cursorMeta(list.nextCursor) };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
      access: 'key',
      operationId: 'retryDelivery',
      tag: 'Deliveries',
      summary: 'Make a delivery due now, whatever became of it',
      description: `It keeps its id, its \`webhook-id\` and the numbers of its attempts. One that had used up its attempts gets one more. It
waits its turn: a pause or a breaker is ended by \`PATCH {"isActive": true}\` of the webhook. The same call again changes nothing as long as
the delivery waits.`,
      errors: ['webhook-inactive', 'delivery-under-way', 'event-expired'],
      params: oneDelivery,
      data: delivery,
      handle: async ({ params: { deliveryId, ...webhook } }, call) => {
        return {
          data: toDelivery(await deliveries.retryDelivery({ ...webhook, id: deliveryId }, call.rpc())),
        };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/test',
      access: 'key',
      operationId: 'sendTestEvent',
      tag: 'Deliveries',
      summary: 'Send a test event, on the way of all events',
      description:
        'It is delivered, signed, retried and logged like any other; its `x-parley-event` is `Test`. The answer is its delivery.',
      errors: ['webhook-inactive'],
      params: oneWebhook,
      data: delivery,
      idempotencyKey: 'accepted',
      isVersioned: false,
      handle: async ({ params }, call) => {
        const sent = await deliveries.sendTestEvent({ ...params, idempotency: call.idempotency }, call.rpc());
        return { data: toDelivery(required(sent.delivery)), replayed: sent.replayed };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/stats',
      access: 'key',
      operationId: 'getWebhookStats',
      tag: 'Deliveries',
      summary: 'Get how the receiver of a webhook has been doing',
      params: oneWebhook,
      data: webhookStats,
      handle: async ({ params }, call) => ({
        data: toWebhookStats(await deliveries.getStats(params, call.rpc())),
      }),
    }),
  ];
}
