import { eventKinds } from '../api/webhooks/events.ts';
import { history } from '../api/interactions/present.ts';
import { exampleOf } from './example.ts';
import type { Schemas } from './json-schema.ts';

const headers = {
  'webhook-id': 'The id of the event, a UUID. The same on every attempt: an event may come twice.',
  'webhook-timestamp': 'Epoch seconds of the attempt.',
  'webhook-signature':
    'Standard Webhooks: `v1` is HMAC-SHA-256 under the signing secret. With `asymmetricSignature` there is also ' +
    '`v1a`, Ed25519. After a rotation there are several, separated by spaces.',
  'x-parley-event': 'The event, or `Test` for a test event. Not signed, like the following fields.',
  'x-parley-workspace-id': 'The workspace of the webhook.',
  'x-parley-webhook-id': 'The webhook.',
  'x-parley-delivery-id': 'This event for this webhook: the same on every attempt.',
  'x-parley-attempt': 'The number of the attempt, from 1.',
  'x-parley-test':
    '`true` for a test event, `1` for an event about a test interaction; others do not have it. Test interactions ' +
    'count nowhere: a receiver should not count them either.',
};

const answers =
  `Any answer but 2xx is retried, by default after 5 s, 30 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours. 410
ends the delivery and deactivates the webhook. The request has the header fields of the options of the webhook. It may
have \`traceparent\` (W3C Trace Context).`.replaceAll('\n', ' ');

export function webhooksOf({ describe, components }: Schemas) {
  const plainExample = exampleOf(describe(history, 'output'), components);
  return Object.fromEntries(
    eventKinds.map(({ name, description, body, example }) => {
      const operationId = name.charAt(0).toLowerCase() + name.slice(1);
      const isPlain = name === 'InteractionCompleted';
      const content = { schema: describe(body, 'output'), example: isPlain ? plainExample : example };
      return [
        operationId,
        {
          post: {
            operationId,
            tags: ['Webhooks'],
            summary: description,
            description:
              `Sent to every active webhook of the workspace that wants it, with the same bytes at every
attempt. ${isPlain ? 'The envelope only with the option `envelope`. ' : ''}${answers}`.replaceAll('\n', ' '),
            security: [],
            parameters: parameters(),
            requestBody: { required: true, content: { 'application/json': content } },
            responses: {
              '2XX': { description: 'Received.' },
              410: { description: 'Gone: Parley deactivates the webhook.' },
            },
          },
        },
      ];
    }),
  );
}

function parameters() {
  return [
    {
      name: 'secretToken',
      in: 'query',
      required: true,
      description: 'The `secretToken` of the webhook. A deployment can use another parameter name.',
      schema: { type: 'string' },
    },
    ...Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: name !== 'x-parley-test',
      description,
      schema: { type: 'string' },
    })),
  ];
}
