import { webhookLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import { recoverable, recovery, toRecovery } from './present-recovery.ts';
import { type Route, route } from '../../http/server/route.ts';
import { shortList } from '../../values/short-list.ts';
import { id } from '../../values/text.ts';
import { instant, isBefore } from '../../values/timestamp.ts';
import { oneWebhook } from '../webhooks/routes.ts';

const newRecovery = z
  .strictObject({
    since: instant.meta({
      description:
        'Only deliveries created at or after this instant: with a zone (RFC 3339), or in UTC as the API writes it',
    }),
    until: instant
      .optional()
      .meta({ description: 'Only deliveries created before this instant. Default: now' }),
    states: shortList(
      2,
      z
        .array(recoverable)
        .min(1)
        .refine((states) => new Set(states).size === states.length, 'Must name each state once'),
    ).default(['failed', 'skipped']),
  })
  .refine(isBefore, { path: ['until'], error: 'Must be after since' })
  .meta({ id: 'NewRecovery', examples: [{ since: '2026-01-01T00:00:00Z', states: ['failed'] }] });

const oneRecovery = oneWebhook.extend({
  recoveryId: id.meta({ description: 'The id of the recovery' }),
});

const recoverDeliveries = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recover',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'webhook',
  operationId: 'recoverDeliveries',
  clientMethod: 'webhooks.recover',
  tag: 'Deliveries',
  summary: 'Make the undelivered deliveries of a period due again',
  description:
    'It runs in the background: at most 500 deliveries per second, oldest first. The answer has the id for ' +
    'reading its progress. It stops when the webhook is deactivated.',
  errors: ['too-many-recoveries', 'webhook-inactive'],
  params: oneWebhook,
  body: newRecovery,
  data: recovery,
  idempotencyKey: 'accepted',
  isVersioned: false,
  handle: async ({ params, body: { since, until = null, states } }, call, { deliveries }) => {
    const { idempotency } = call;
    const started = await deliveries.startRecovery(
      { ...params, since, until, states, idempotency },
      call.rpc(),
    );
    return { data: toRecovery(required(started.recovery)), replayed: started.replayed };
  },
});

const getRecovery = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries/{recoveryId}',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'getRecovery',
  clientMethod: 'webhooks.getRecovery',
  tag: 'Deliveries',
  summary: 'Get the progress of a recovery',
  params: oneRecovery,
  data: recovery,
  handle: async ({ params: { recoveryId, ...webhook } }, call, { deliveries }) => {
    return { data: toRecovery(await deliveries.getRecovery({ ...webhook, id: recoveryId }, call.rpc())) };
  },
});

const listRecoveries = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/recoveries',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'listRecoveries',
  clientMethod: 'webhooks.listRecoveries',
  tag: 'Deliveries',
  summary: 'List the recoveries of a webhook, newest first',
  description: `A recovery is kept for ${webhookLimits.daysKept} days.`,
  params: oneWebhook,
  query: cursorQuery(webhookLimits.deliveriesMax),
  data: z.array(recovery),
  handle: async ({ params, query: { cursor = '', limit } }, call, { deliveries }) => {
    const list = await deliveries.listRecoveries({ ...params, cursor, limit }, call.rpc());
    return { data: list.recoveries.map(toRecovery), meta: cursorMeta(list.nextCursor) };
  },
});

/** Recoveries make undelivered deliveries of a period due again in the background. */
export const recoveryRoutes: Route[] = [recoverDeliveries, listRecoveries, getRecovery];
