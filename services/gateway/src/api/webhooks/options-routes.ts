import { headerNameForm, headerValueForm } from '@parley/contracts/header-field-forms';
import { webhookLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import {
  envelope,
  filter,
  ordering,
  rateLimit,
  toWebhookOptions,
  webhookOptions,
} from './present-options.ts';
import { hasScope, isLimitedLink, mayNotChoose, type Principal } from '../../http/request/principal.ts';
import { notForCaller, type Route, route } from '../../http/server/route.ts';
import { shortRecord } from '../../values/short-list.ts';
import { eventList, oneWebhook, secretToken, webhookUrl } from './routes.ts';

const { headerFieldsMax, headerValueLengthMax } = webhookLimits;

const headerName = z.string().regex(headerNameForm);
const headerValue = z
  .string()
  .regex(headerValueForm, `Must be at most ${headerValueLengthMax} visible ASCII characters and spaces`);

// The webhook service rejects reserved names.
const headers = shortRecord(
  headerFieldsMax,
  z
    .record(headerName, headerValue, {
      error: ({ code }) => (code === 'invalid_key' ? 'Must have the name of a header field' : undefined),
    })
    .check(({ value, issues }) => {
      const seen = new Set<string>();
      for (const name of Object.keys(value)) {
        const lower = name.toLowerCase();
        if (seen.has(lower)) {
          const message = 'Must not be given twice: upper and lower case are the same';
          issues.push({ code: 'custom', input: value, path: [name], message });
        }
        seen.add(lower);
      }
    }),
).meta({
  description: `Header fields of every delivery, by name. They replace all earlier ones. Reserved are \`host\`,
\`content-*\`, \`transfer-encoding\`, \`connection\` and the like, \`user-agent\`, \`traceparent\`, \`tracestate\`,
\`webhook-*\` and \`x-parley-*\`. Values are stored encrypted and never shown.`,
  examples: [{ 'x-api-key': '7f3c1a0e9b' }],
});

const fields = [
  'url',
  'secretToken',
  'headers',
  'rateLimit',
  'ordering',
  'asymmetricSignature',
  'events',
  'filter',
  'envelope',
];

const optionsChange = z
  .strictObject({
    url: webhookUrl,
    secretToken,
    headers,
    rateLimit: rateLimit.nullable().meta({ description: 'null for none', examples: [null] }),
    ordering,
    asymmetricSignature: z.boolean(),
    events: eventList,
    filter: filter.nullable().meta({ description: 'null for none', examples: [null] }),
    envelope,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, `Must have at least one of ${fields.join(', ')}`)
  .meta({
    id: 'WebhookOptionsChange',
    minProperties: 1,
    examples: [{ rateLimit: { perSecond: 10, burst: 20 }, ordering: 'perCustomer' }],
  });

const getWebhookOptions = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options',
  access: 'key',
  scope: 'webhooks:read',
  portal: 'webhook',
  operationId: 'getWebhookOptions',
  clientMethod: 'webhooks.getOptions',
  tag: 'Webhooks',
  summary: 'Get the options of a webhook',
  params: oneWebhook,
  data: webhookOptions,
  handle: async ({ params: { workspaceId, webhookId } }, call, { deliveries }) => {
    const row = await deliveries.getWebhookOptions({ workspaceId, id: webhookId }, call.rpc());
    return { data: visibleTo(call.principal, toWebhookOptions(row)), version: row.version };
  },
});

const updateWebhookOptions = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/webhooks/{webhookId}/options',
  access: 'key',
  scope: 'webhooks:write',
  portal: 'webhook',
  operationId: 'updateWebhookOptions',
  clientMethod: 'webhooks.updateOptions',
  tag: 'Webhooks',
  summary: 'Change the options of a webhook',
  description:
    'Absent fields stay. Ordering, events, filter and envelope apply to events that are raised after the answer. ' +
    'All others apply from the next attempt on, which may be a retry of an earlier event. An attempt that is in ' +
    'flight is not affected. The webhook shows its `url`. If a portal link changes the origin of the `url`, header ' +
    'fields are deleted and the secret token is replaced by a random one, unless the call has new ones.',
  errors: ['secret-token-in-use', 'not-for-caller'],
  params: oneWebhook,
  body: optionsChange,
  data: webhookOptions,
  handle: async ({ params: { workspaceId, webhookId }, body }, call, { deliveries }) => {
    requireMayChoose(body, call.principal);
    const row = await deliveries.updateWebhookOptions(
      {
        workspaceId,
        id: webhookId,
        ifVersion: call.ifVersion,
        url: body.url,
        secretToken: body.secretToken,
        headers: body.headers ? { fields: body.headers } : null,
        rateLimit: body.rateLimit === undefined ? null : { rateLimit: body.rateLimit },
        ordering: body.ordering,
        isAsymmetric: body.asymmetricSignature,
        events: body.events ?? [],
        filter: body.filter === undefined ? null : { filter: body.filter ?? undefined },
        isEnveloped: body.envelope,
      },
      call.rpc(),
    );
    return { data: visibleTo(call.principal, toWebhookOptions(row)), version: row.version };
  },
});

/** Returns options without the names of header fields for a limited portal link: the fields are the company's. */
function visibleTo(
  principal: Principal,
  options: z.output<typeof webhookOptions>,
): z.output<typeof webhookOptions> {
  return isLimitedLink(principal) ? { ...options, headerNames: [] } : options;
}

/**
 * Throws 403 if a portal link chooses what a webhook gets, though it is limited or does not see personal data, or,
 * without the right to see personal data, where it goes. The workspace decides that: events can have personal data of
 * all customers. For a limited link, secrets of the workspace are no
 * matter of the link: the conflict with the token of another webhook would show that token.
 */
function requireMayChoose(
  {
    events,
    filter,
    envelope: isEnveloped,
    url,
    secretToken: token,
    headers: given,
  }: z.output<typeof optionsChange>,
  principal: Principal,
): void {
  if (!mayNotChoose(principal)) return;
  if ([events, filter, isEnveloped].some((one) => one !== undefined)) {
    throw notForCaller(
      'A portal link with webhookIds or without personalData cannot change what a webhook gets',
    );
  }
  if (isLimitedLink(principal) && (token !== undefined || given !== undefined)) {
    throw notForCaller(
      'A portal link with webhookIds cannot set the secret token or header fields of a webhook',
    );
  }
  if (url !== undefined && !hasScope(principal, 'personal-data:read')) {
    throw notForCaller('A portal link without personalData cannot change the URL of a webhook');
  }
}

export const webhookOptionRoutes: Route[] = [getWebhookOptions, updateWebhookOptions];
