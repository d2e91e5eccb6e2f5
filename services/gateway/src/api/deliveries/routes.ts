import { webhookLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import {
  attempt,
  deliveredEvent,
  delivery,
  deliveryBody,
  deliveryState,
  toAttempt,
  toDelivery,
  toDeliveryBody,
} from './present.ts';
import { eventName } from '../webhooks/events.ts';
import { toWebhookStats, webhookStats } from './present-stats.ts';
import { isLimitedLink } from '../../http/request/principal.ts';
import { type KeyCall, type Route, route } from '../../http/server/route.ts';
import { id } from '../../values/text.ts';
import { instant, isBefore } from '../../values/timestamp.ts';
import { oneInteraction } from '../interactions/routes.ts';
import { oneWebhook } from '../webhooks/routes.ts';

const { deliveriesMax, attemptsMax, daysKept } = webhookLimits;

const filters = cursorQuery(deliveriesMax)
  .extend({
    state: deliveryState
      .exclude(['discarded'])
      .optional()
      .meta({ description: 'Only those in this state', examples: ['failed'] }),
    interactionId: id.optional().meta({
      description: 'Only deliveries of events about this interaction; none for an unknown interaction',
    }),
    eventId: id.optional().meta({
      description:
        'Only the delivery of this event, also of a test: the `webhook-id` of its requests, which is the ' +
        '`webhookMessageId` of a delivery',
    }),
    event: deliveredEvent.optional().meta({
      description:
        'Only deliveries of events with this name. A page can then be short although `nextCursor` leads to more',
    }),
    since: instant.optional().meta({
      description:
        'Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it',
    }),
    until: instant.optional().meta({ description: 'Only deliveries created before this instant' }),
  })
  .refine(isBefore, { path: ['until'], error: 'Must be after since' });

const oneDelivery = oneWebhook.extend({
  deliveryId: id.meta({ description: 'The id of the delivery' }),
});

/** Returns whether the caller sees nothing that a customer or a receiver has written. */
const showsNone = ({ isHead, reader }: KeyCall): boolean => isHead || !reader.seesPersonalData;

const listDeliveries = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'listDeliveries',
  clientMethod: 'webhooks.deliveries.list',
  tag: 'Deliveries',
  summary: 'List the deliveries of a webhook, newest first',
  description: `Finished deliveries are kept for ${daysKept} days.`,
  params: oneWebhook,
  query: filters,
  data: z.array(delivery),
  handle: async ({ params, query }, call, { deliveries }) => {
    const { state, since = null, until = null, interactionId = null, eventId = null, event = null } = query;
    const { cursor = '', limit } = query;
    const states = state === undefined ? [] : [state];
    const list = await deliveries.listDeliveries(
      { ...params, states, since, until, interactionId, eventId, event, cursor, limit },
      call.rpc(),
    );
    return { data: list.deliveries.map(toDelivery), meta: cursorMeta(list.nextCursor) };
  },
});

const listInteractionDeliveries = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}/deliveries',
  access: 'key',
  scope: 'webhooks:read',
  operationId: 'listInteractionDeliveries',
  clientMethod: 'interactions.listDeliveries',
  tag: 'Deliveries',
  summary: 'List the deliveries of events about an interaction to all webhooks, newest first',
  description: `An unknown interaction has none. Finished deliveries are kept for ${daysKept} days.`,
  params: oneInteraction,
  query: cursorQuery(deliveriesMax),
  data: z.array(delivery),
  handle: async ({ params, query: { cursor = '', limit } }, call, { deliveries }) => {
    const list = await deliveries.listInteractionDeliveries({ ...params, cursor, limit }, call.rpc());
    return { data: list.deliveries.map(toDelivery), meta: cursorMeta(list.nextCursor) };
  },
});

const getDelivery = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'getDelivery',
  clientMethod: 'webhooks.deliveries.get',
  tag: 'Deliveries',
  summary: 'Get a delivery',
  params: oneDelivery,
  data: delivery,
  handle: async ({ params: { deliveryId, ...webhook } }, call, { deliveries }) => {
    return { data: toDelivery(await deliveries.getDelivery({ ...webhook, id: deliveryId }, call.rpc())) };
  },
});

const getDeliveryBody = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/body',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'getDeliveryBody',
  clientMethod: 'webhooks.deliveries.getBody',
  tag: 'Deliveries',
  summary: 'Get the body that the requests of a delivery have',
  params: oneDelivery,
  data: deliveryBody,
  handle: async ({ params: { deliveryId, ...webhook } }, call, { deliveries }) => {
    const body = await deliveries.getDeliveryBody(
      { ...webhook, id: deliveryId, showsNone: showsNone(call) },
      call.rpc(),
    );
    return { data: toDeliveryBody(body, call.reader) };
  },
});

const listAttempts = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/attempts',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'listAttempts',
  clientMethod: 'webhooks.deliveries.listAttempts',
  tag: 'Deliveries',
  summary: 'List the attempts of a delivery, first to last',
  description: `An attempt is kept for ${daysKept} days. A 429 or 503 that pauses the webhook is here too, but does
not count as an attempt: \`isCounted\` is false, and the next one has the same \`number\`. Of these a delivery keeps the
newest ten.`,
  params: oneDelivery,
  query: cursorQuery(attemptsMax),
  data: z.array(attempt),
  handle: async ({ params, query: { cursor = '', limit } }, call, { deliveries }) => {
    const list = await deliveries.listAttempts(
      { ...params, cursor, limit, showsNone: showsNone(call) },
      call.rpc(),
    );
    return {
      data: list.attempts.map((row) => toAttempt(row, call.reader)),
      meta: cursorMeta(list.nextCursor),
    };
  },
});

const retryDelivery = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'webhook',
  operationId: 'retryDelivery',
  clientMethod: 'webhooks.deliveries.retry',
  tag: 'Deliveries',
  summary: 'Retry a delivery now, whatever its state',
  description: `It keeps its id, its \`webhook-id\` and the numbers of its attempts. One that waits for an attempt is
tried now, too: if that fails, the planned attempt comes at its time. A delivery without attempts left gets one more. It waits for a pause or an open breaker, which \`PATCH {"isActive": true}\` of the webhook ends. A
repeated call changes nothing while the delivery waits.`,
  errors: ['webhook-inactive', 'delivery-under-way', 'event-expired'],
  params: oneDelivery,
  data: delivery,
  isRepeatable: false,
  handle: async ({ params: { deliveryId, ...webhook } }, call, { deliveries }) => {
    return {
      data: toDelivery(await deliveries.retryDelivery({ ...webhook, id: deliveryId }, call.rpc())),
    };
  },
});

const testWanted = z
  .strictObject({
    event: eventName.optional(),
    ignoreFilter: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether it is sent although the filter of the webhook refuses it' }),
  })
  .optional();

const sendTestEvent = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/test',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'webhook',
  operationId: 'sendTestEvent',
  clientMethod: 'webhooks.sendTest',
  tag: 'Deliveries',
  summary: 'Send a test event',
  description:
    'It is delivered, signed, retried and logged like any event. With `event`, it is the example of that event. ' +
    'Otherwise it is a completion whose `x-parley-event` is `Test`. Its requests have the header field ' +
    '`x-parley-test: true`, and its body has `"test": true`. Returns its delivery.',
  errors: ['webhook-inactive', 'event-filtered'],
  params: oneWebhook,
  body: testWanted,
  data: delivery,
  idempotencyKey: 'accepted',
  isVersioned: false,
  handle: async ({ params, body }, call, { deliveries }) => {
    const { event, ignoreFilter: ignoresFilter } = body ?? {};
    const request = { ...params, idempotency: call.idempotency, event, ignoresFilter };
    const sent = await deliveries.sendTestEvent(request, call.rpc());
    return { data: toDelivery(required(sent.delivery)), replayed: sent.replayed };
  },
});

const getWebhookStats = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/stats',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'getWebhookStats',
  clientMethod: 'webhooks.getStats',
  tag: 'Deliveries',
  summary: 'Get the statistics of a webhook',
  params: oneWebhook,
  data: webhookStats,
  handle: async ({ params }, call, { deliveries }) => ({
    data: toWebhookStats(await deliveries.getStats(params, call.rpc()), isLimitedLink(call.principal)),
  }),
});

export const deliveryRoutes: Route[] = [
  listDeliveries,
  listInteractionDeliveries,
  getDelivery,
  getDeliveryBody,
  listAttempts,
  retryDelivery,
  sendTestEvent,
  getWebhookStats,
];
