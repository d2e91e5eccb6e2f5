import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { eventKinds, eventName } from './events.ts';

const anyObject = z.record(z.string(), z.unknown());

const eventType = z
  .strictObject({
    name: eventName,
    description: z.string().meta({ examples: ['An interaction was completed'] }),
    schema: anyObject.meta({ description: 'The JSON Schema of the body', examples: [{ type: 'object' }] }),
    example: anyObject.meta({
      description: 'A body with the envelope',
      examples: [{ type: 'InteractionCompleted' }],
    }),
  })
  .meta({ id: 'EventType' });

const types = eventKinds.map(({ name, description, body, example }) => ({
  name,
  description,
  schema: z.toJSONSchema(body, { reused: 'inline' }) as Record<string, unknown>,
  example: example as Record<string, unknown>,
}));

const listEventTypes = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/event-types',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'any',
  operationId: 'listEventTypes',
  clientMethod: 'webhooks.listEventTypes',
  tag: 'Webhooks',
  summary: 'List the events that webhooks can get',
  description: 'Without the option `envelope`, the body of `InteractionCompleted` is only its `result`.',
  params: inWorkspace,
  data: z.array(eventType),
  handle: async () => ({ data: types }),
});

export const eventTypeRoutes: Route[] = [listEventTypes];
