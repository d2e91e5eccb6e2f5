import { webhookLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { ordering, rateLimit, toWebhookOptions, webhookOptions } from '../present/webhook-options.ts';
import { type Route, route } from '../http/route.ts';
import { oneWebhook } from './webhooks.ts';

const { headerFieldsMax, headerNameLengthMax, headerValueLengthMax } = webhookLimits;

const headerName = z.string().regex(new RegExp(`^[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${headerNameLengthMax}}$`));
const headerValue = z
  .string()
  .regex(
    new RegExp(`^[\\x20-\\x7e]{0,${headerValueLengthMax}}$`),
    `Must be at most ${headerValueLengthMax} visible ASCII characters and spaces`,
  );

// Which names are not to be had is the webhook service's rule.
const headers = z
  .record(headerName, headerValue, {
    error: ({ code }) => (code === 'invalid_key' ? 'Must have the name of a header field' : undefined),
  })
  .check(({ value, issues }) => {
    const names = Object.keys(value);
    if (names.length > headerFieldsMax) {
      issues.push({ code: 'custom', input: value, message: `Must have at most ${headerFieldsMax} fields` });
      return;
    }
    const seen = new Set<string>();
    for (const name of names) {
      const lower = name.toLowerCase();
      if (seen.has(lower)) {
        const message = 'Must not be given twice: upper and lower case are the same';
        issues.push({ code: 'custom', input: value, path: [name], message });
      }
      seen.add(lower);
    }
  })
  .meta({
    maxProperties: headerFieldsMax,
    description: `Header fields of every delivery, by name; they take the place of all there were. Not to be set are \`host\`, \`content-*\`, \`transfer-encoding\`,
\`connection\` and the like, \`user-agent\`, \`traceparent\`, \`tracestate\`, \`webhook-*\` and \`x-parley-*\`. Values are kept encrypted and never shown.`,
    examples: [{ 'x-api-key': '7f3c1a0e9b' }],
  });

const fields = ['headers', 'rateLimit', 'ordering', 'asymmetricSignature'];

const optionsChange = z
  .strictObject({
    headers,
    rateLimit: rateLimit.nullable().meta({ description: 'null for none', examples: [null] }),
    ordering,
    asymmetricSignature: z.boolean(),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, `Must have at least one of ${fields.join(', ')}`)
  .meta({
    id: 'WebhookOptionsChange',
    minProperties: 1,
    examples: [{ rateLimit: { perSecond: 10, burst: 20 }, ordering: 'perCustomer' }],
  });

/** How a webhook is delivered to. */
export function webhookOptionRoutes({ deliveries }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options',
      access: 'key',
      operationId: 'getWebhookOptions',
      tag: 'Webhooks',
      summary: 'Get how a webhook is delivered to',
      params: oneWebhook,
      data: webhookOptions,
      handle: async ({ params: { workspaceId, webhookId } }, call) => {
        const row = await deliveries.getWebhookOptions({ workspaceId, id: webhookId }, call.rpc());
        return { data: toWebhookOptions(row), version: row.version };
      },
    }),
    route({
      method: 'PATCH',
      path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options',
      access: 'key',
      operationId: 'updateWebhookOptions',
      tag: 'Webhooks',
      summary: 'Change how a webhook is delivered to',
      description:
        'What is not given stays. Header fields, rate and signature hold from the next attempt on, an ordering for the events that follow.',
      errors: ['lost-race'],
      params: oneWebhook,
      body: optionsChange,
      data: webhookOptions,
      handle: async ({ params: { workspaceId, webhookId }, body }, call) => {
        const row = await deliveries.updateWebhookOptions(
          {
            workspaceId,
            id: webhookId,
            ifVersion: call.ifVersion,
            headers: body.headers ? { fields: body.headers } : null,
            rateLimit: body.rateLimit === undefined ? null : { rateLimit: body.rateLimit },
            ordering: body.ordering,
            isAsymmetric: body.asymmetricSignature,
          },
          call.rpc(),
        );
        return { data: toWebhookOptions(row), version: row.version };
      },
    }),
  ];
}
