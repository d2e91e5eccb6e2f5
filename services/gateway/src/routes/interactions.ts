import { z } from 'zod';
import { required } from '../message.ts';
import { pageMeta, pageOf, pageQuery } from '../page.ts';
import type { Peers } from '../peers.ts';
import { interaction, priority, status, toInteraction } from '../present/interaction.ts';
import { inWorkspace, type Route, route } from '../route.ts';
import { customerId, id } from '../text.ts';
import { context } from './interaction-context.ts';

const expirySecondsMax = 10 * 365 * 24 * 60 * 60;

const expiry = z
  .number()
  .min(0, 'Must not be negative')
  .max(expirySecondsMax, 'Must be at most ten years, in seconds from now')
  .nullable()
  .meta({ description: 'Seconds from the request; 0 and null mean none' });

const newInteraction = z.strictObject({
  customerId,
  botId: id,
  status: status.default('Draft'),
  priority: priority.default('Medium'),
  expiry: expiry.optional(),
  context: context.default([]),
});

const interactionChange = z
  .strictObject({ status, priority, expiry })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must have at least one of status, priority, expiry');

const filters = pageQuery.extend({
  status: status.optional(),
  priority: priority.optional(),
  customerId: customerId.optional(),
  botId: id.optional(),
});

const oneInteraction = inWorkspace.extend({ interactionId: id });

/** Interactions. */
export function interactionRoutes({ interactions }: Peers, landingUrl: string): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}',
      access: 'key',
      summary: 'Get an interaction',
      params: oneInteraction,
      data: interaction,
      handle: async ({ params }, call) => {
        const { workspaceId, interactionId } = params;
        const row = await interactions.getInteraction({ workspaceId, id: interactionId }, call.rpc());
        return { data: toInteraction(row, landingUrl), version: row.version };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/interactions',
      access: 'key',
      summary: 'List the interactions, newest first',
      params: inWorkspace,
      query: filters,
      data: z.array(interaction),
      handle: async ({ params: { workspaceId }, query }, call) => {
        const { page, pageSize, ...filter } = query;
        const request = { workspaceId, page: pageOf({ page, pageSize }), ...filter };
        const list = await interactions.listInteractions(request, call.rpc());
        return {
          data: list.interactions.map((row) => toInteraction(row, landingUrl)),
          meta: pageMeta(query, list.total),
        };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/interactions',
      access: 'key',
      summary: 'Create an interaction, and its customer when there is none',
      params: inWorkspace,
      body: newInteraction,
      data: interaction,
      idempotencyKey: 'accepted',
      handle: async ({ params: { workspaceId }, body }, call) => {
        const { expiry: seconds, ...rest } = body;
        const made = await interactions.createInteraction(
          { workspaceId, ...rest, expirySeconds: seconds || undefined, idempotency: call.idempotency },
          call.rpc(),
        );
        const row = required(made.interaction);
        return { data: toInteraction(row, landingUrl), version: row.version, replayed: made.replayed };
      },
    }),
    route({
      method: 'PATCH',
      path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}',
      access: 'key',
      summary: 'Change status, priority or expiry of an interaction',
      params: oneInteraction,
      body: interactionChange,
      data: interaction,
      handle: async ({ params, body }, call) => {
        const { expiry: seconds, ...rest } = body;
        const row = await interactions.updateInteraction(
          {
            workspaceId: params.workspaceId,
            id: params.interactionId,
            ...rest,
            expirySeconds: seconds === null ? 0 : seconds,
            ifVersion: call.ifVersion,
          },
          call.rpc(),
        );
        return { data: toInteraction(row, landingUrl), version: row.version };
      },
    }),
  ];
}
