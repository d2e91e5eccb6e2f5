import { isJsonObject } from '@parley/runtime/json/json-object';
import type {
  Interaction,
  ListInteractionsRequest,
  NewInteraction,
} from '@parley/contracts/interaction/v1/interaction';
import { interactionLimits } from '@parley/contracts/limits';
import type { CallOptions } from '@parley/rpc/definition';
import { z } from 'zod';
import { continuationOf, listTimeoutMs, longListDescription } from '../../http/answer/long-list.ts';
import { required } from '../../values/message.ts';
import { pageMeta, pageOf, pageQuery } from '../../values/page.ts';
import type { Sealed } from '../../values/personal.ts';
import { include, interaction, priority, status, toInteraction, withDetails } from './present.ts';
import { readerOfInteractions, requireEvaluationFilters } from './reader.ts';
import { hasScope } from '../../http/request/principal.ts';
import { inWorkspace, type KeyCall, type Route, route } from '../../http/server/route.ts';
import type { RouteDeps } from '../../route-deps.ts';
import { botKey, customerId, id } from '../../values/text.ts';
import { instant } from '../../values/timestamp.ts';
import { customerDetails } from '../customers/routes.ts';
import { context } from './context.ts';
import { exportInteractions } from './export-routes.ts';
import { checkedFilters, interactionFilters, requestFilters } from './filters.ts';

const { contextValueBytesMax, contextBytesMax, expirySecondsMax } = interactionLimits;

const expiry = z
  .number()
  .min(0, 'Must not be negative')
  .max(expirySecondsMax, 'Must be at most ten years, in seconds from now')
  .nullable()
  .meta({ description: 'Seconds from the request; 0 and null mean none', examples: [86_400] });

/** At most a year ahead: the interaction service checks it. */
const availableFrom = instant.nullable().meta({
  description: 'Customers do not see it before, while it is `Pending`. At most a year ahead; null: at once',
  examples: ['2026-12-01T08:00:00Z'],
});

const ignoreContactPolicy = z
  .boolean()
  .optional()
  .meta({
    description: 'Offers the conversation also beyond the contact policy. The audit log has it',
    examples: [false],
  });

export const newInteraction = z
  .strictObject({
    customerId,
    customer: customerDetails.optional(),
    botId: id.optional().meta({ description: 'The id of the bot; or give its `botKey`' }),
    botKey: botKey.optional().meta({ description: "The `key` of the bot's definition, instead of `botId`" }),
    status: status.default('Draft').meta({
      description: '`Draft` is invisible to the customer; `Pending` offers the conversation to the customer',
    }),
    priority: priority.default('Medium'),
    expiry: expiry.optional(),
    availableFrom: availableFrom.optional(),
    context: context.default([]),
    isTest: z
      .boolean()
      .optional()
      .meta({
        description: 'Whether it is a test interaction: it works in every way, and counts nowhere',
        examples: [true],
      }),
    ignoreContactPolicy,
  })
  // Runs also if other fields have faults: all are reported at once.
  .refine((body) => 'botId' in body || 'botKey' in body, {
    path: ['botId'],
    error: 'Is required, or botKey',
    when: isObject,
  })
  .refine((body) => !('botId' in body && 'botKey' in body), {
    path: ['botKey'],
    error: 'Must not be given with botId',
    when: isObject,
  })
  .meta({
    id: 'NewInteraction',
    description: 'Exactly one of `botId` and `botKey` is required.',
    examples: [
      {
        customerId: 'customer-1',
        botKey: 'nps-follow-up',
        status: 'Pending',
        context: [{ key: 'productName', value: 'Tea' }],
      },
    ],
  });

/** Returns what the interaction service has to know about the caller of POST. */
export function creatorOf({ principal }: KeyCall): { onlyCreatesCustomers: boolean } {
  return { onlyCreatesCustomers: !hasScope(principal, 'customers:write') };
}

export function toNewInteraction({
  expiry: seconds,
  botId = '',
  availableFrom: from = null,
  ...rest
}: z.output<typeof newInteraction>): NewInteraction {
  return { botId, ...rest, expirySeconds: seconds || undefined, availableFrom: from };
}

function isObject({ value }: { value: unknown }): boolean {
  return isJsonObject(value);
}

const interactionChange = z
  .strictObject({ status, priority, expiry, availableFrom, ignoreContactPolicy })
  .partial()
  .refine(
    (change) => Object.keys(change).some((name) => name !== 'ignoreContactPolicy'),
    'Must have at least one of status, priority, expiry, availableFrom',
  )
  .meta({ id: 'InteractionChange', minProperties: 1, examples: [{ status: 'Pending', expiry: 86_400 }] });

const filters = checkedFilters(pageQuery.extend({ ...interactionFilters.shape, include }));

export const oneInteraction = inWorkspace.extend({
  interactionId: id.meta({ description: 'The id of the interaction' }),
});

async function shown(
  row: Sealed<Interaction>,
  workspaceId: string,
  call: KeyCall,
  deps: RouteDeps,
): Promise<z.output<typeof interaction>> {
  const reader = await readerOfInteractions(call.reader, workspaceId, [row], call.rpc, deps);
  return toInteraction(row, deps.landingUrl, reader);
}

const getInteraction = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}',
  access: 'key',
  scope: 'interactions:read',
  operationId: 'getInteraction',
  clientMethod: 'interactions.get',
  tag: 'Interactions',
  summary: 'Get an interaction',
  params: oneInteraction,
  query: z.object({ include }),
  data: interaction,
  handle: async ({ params, query }, call, deps) => {
    const { workspaceId, interactionId } = params;
    const request = { workspaceId, id: interactionId, withReminders: query.include === 'details' };
    const row = await deps.interactions.getInteraction(request, call.rpc());
    const data = withDetails(await shown(row, workspaceId, call, deps), row, query.include);
    return { data, version: row.version };
  },
});

const listInteractions = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/interactions',
  access: 'key',
  scope: 'interactions:read',
  operationId: 'listInteractions',
  clientMethod: 'interactions.list',
  tag: 'Interactions',
  summary: 'List the interactions, newest first',
  description: longListDescription,
  params: inWorkspace,
  query: filters,
  data: z.array(interaction),
  timeoutMs: listTimeoutMs,
  handle: async ({ params: { workspaceId }, query }, call, deps) => {
    const { page, pageSize, include: wanted, ...filter } = query;
    const request = { workspaceId, page: pageOf({ page, pageSize }), ...requestFilters(filter) };
    await requireEvaluationFilters(call.reader, request, call.rpc, deps);
    const load = async (changed: Partial<ListInteractionsRequest>, rpc: () => CallOptions) => {
      const listed = await deps.interactions.listInteractions({ ...request, ...changed }, rpc());
      const { interactions, ...part } = listed;
      const reader = await readerOfInteractions(call.reader, workspaceId, interactions, rpc, deps);
      const rows = interactions.map((row) =>
        withDetails(toInteraction(row, deps.landingUrl, reader), row, wanted),
      );
      return { rows, ...part };
    };
    const list = await deps.lists.first((onlyShort) => load({ onlyShort }, call.rpc));
    return {
      data: list.rows,
      meta: pageMeta(query, list.total),
      continuation: continuationOf(
        list,
        (row) => row,
        (after, rpc, count) => load({ after, page: { page: 1, pageSize: pageSize - count } }, rpc),
      ),
    };
  },
});

const createInteraction = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/interactions',
  access: 'key',
  scope: 'interactions:write',
  operationId: 'createInteraction',
  clientMethod: 'interactions.create',
  tag: 'Interactions',
  summary: 'Create an interaction, and its customer when there is none',
  description: `The default status \`Draft\` is invisible to the customer. Send \`"status": "Pending"\` to offer the
conversation to the customer, in the widget and at the \`link\` of the answer. Any status is accepted. An
interaction created \`Completed\` or \`Expired\` is an archived import and raises no event. With \`availableFrom\`,
customers see it from then on, and \`InteractionAvailable\` is raised, at once if that is not in the future.
Without the scope \`customers:write\`, \`customer\` sets the details of a new customer only: other details of one that
exists are 403 (\`missing-scope\`). \`context\` may have the keys that the bot names, each once, with values of ${contextValueBytesMax / 1024} KiB and
${contextBytesMax / 1024} KiB in all (UTF-8).`,
  params: inWorkspace,
  body: newInteraction,
  data: interaction,
  errors: ['contact-limit'],
  idempotencyKey: 'accepted',
  handle: async ({ params: { workspaceId }, body }, call, deps) => {
    const { idempotency } = call;
    const made = await deps.interactions.createInteraction(
      { workspaceId, ...toNewInteraction(body), ...creatorOf(call), idempotency },
      call.rpc(),
    );
    const row = required(made.interaction);
    const data = await shown(row, workspaceId, call, deps);
    return { data, version: row.version, replayed: made.replayed };
  },
});

const updateInteraction = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}',
  access: 'key',
  scope: 'interactions:write',
  operationId: 'updateInteraction',
  clientMethod: 'interactions.update',
  tag: 'Interactions',
  summary: 'Change status, priority, expiry or availability of an interaction',
  description: `\`Draft\` changes to \`Pending\` or \`InProgress\`. \`Pending\` changes to \`Draft\`, \`InProgress\` or
\`Completed\`. \`InProgress\` changes to \`Completed\`. All three change to \`Expired\`. \`Expired\` changes to
\`Pending\` with a future \`expiry\` in the same call. The same status is no change. \`availableFrom\` moves or clears
from when customers see a \`Pending\` interaction.`,
  errors: ['illegal-transition', 'illegal-expiry', 'illegal-availability', 'contact-limit', 'lost-race'],
  params: oneInteraction,
  body: interactionChange,
  data: interaction,
  handle: async ({ params, body }, call, deps) => {
    const { expiry: seconds, availableFrom: from, ...rest } = body;
    const row = await deps.interactions.updateInteraction(
      {
        workspaceId: params.workspaceId,
        id: params.interactionId,
        ...rest,
        expirySeconds: seconds === null ? 0 : seconds,
        availableFrom: from ?? null,
        clearsAvailableFrom: from === null,
        ifVersion: call.ifVersion,
      },
      call.rpc(),
    );
    return { data: await shown(row, params.workspaceId, call, deps), version: row.version };
  },
});

const deleteInteraction = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}',
  access: 'key',
  scope: 'interactions:write',
  operationId: 'deleteInteraction',
  clientMethod: 'interactions.delete',
  tag: 'Interactions',
  summary: 'Delete an interaction with its conversation',
  description: `Its link and sessions end at once. Seconds later, the bodies of its events, open deliveries and the
answers of receivers are gone too. The log of deliveries keeps ids and times. A retry of its creation with the same
\`Idempotency-Key\` is answered with 404.`,
  params: oneInteraction,
  data: z.null(),
  handle: async ({ params: { workspaceId, interactionId } }, call, { interactions }) => {
    const request = { workspaceId, id: interactionId, ifVersion: call.ifVersion };
    await interactions.deleteInteraction(request, call.rpc());
    return { data: null };
  },
});

export const interactionRoutes: Route[] = [
  // Before the path with an id.
  exportInteractions,
  getInteraction,
  listInteractions,
  createInteraction,
  updateInteraction,
  deleteInteraction,
];
