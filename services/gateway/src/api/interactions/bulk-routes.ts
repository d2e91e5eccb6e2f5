import type { ItemError } from '@parley/contracts/common/v1/common';
import type { NewInteraction } from '@parley/contracts/interaction/v1/interaction';
import { bulkLimits } from '@parley/contracts/limits';
import { type ErrorCode, errorCodes, type Fault, invalidRequest } from '@parley/runtime/errors';
import { zodFaults } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { bulkBodyLimits } from '../../http/request/body.ts';
import { fault } from '../../http/answer/envelope.ts';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { callsOfItems, itemsPerCall } from '../../limits/rate-limit.ts';
import { interaction, toInteraction } from './present.ts';
import { readerOfInteractions } from './reader.ts';
import { protoDetail, protoPaths, truncateFaults } from '../../values/faults.ts';
import { required } from '../../values/message.ts';
import { shortList } from '../../values/short-list.ts';
import { creatorOf, newInteraction, toNewInteraction } from './routes.ts';

const { itemsMax, bodyBytesMax, bodyValuesMax } = bulkLimits;

/** The largest number of faults in one bulk answer. Beyond it, each further item has its first one only. */
export const bulkFaultsMax = 1_000;

/** How long a bulk call may take: 500 conversations begin one after another. */
const bulkTimeoutMs = 20_000;

const newInteractions = z
  .strictObject({
    interactions: shortList(itemsMax, z.array(itemOf(newInteraction)).min(1)),
  })
  .meta({
    id: 'NewInteractions',
    examples: [
      {
        interactions: [
          { customerId: 'customer-2', botKey: 'nps-follow-up', status: 'Pending' },
          { customerId: 'customer-3', botKey: 'nps-follow-up', status: 'Pending' },
        ],
      },
    ],
  });

/** An item of a bulk call: its value, or its faults with pointers inside the item, and what was given. */
type Item<Value> = { value: Value } | { faults: Fault[]; given: unknown };

/**
 * Returns the schema of an item that never fails, so that a faulty item harms no other. It is documented as the schema
 * of the item.
 */
function itemOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value, context) => {
      for (const path of protoPaths(value)) {
        context.addIssue({ code: 'custom', path, message: protoDetail, input: value });
      }
      return value;
    }, schema)
    .transform((value): Item<z.output<Schema>> => ({ value }))
    .catch(rejected);
}

// Zod calls it without a context when it documents the schema.
function rejected(context?: { error: Pick<z.core.$ZodError, 'issues'>; input: unknown }): Item<never> {
  return { faults: context ? zodFaults(context.error) : [], given: context?.input };
}

const itemError = z
  .strictObject({
    code: z
      .int()
      .meta({ description: 'The HTTP status of the same call for this item alone', examples: [400] }),
    type: z.string().meta({ description: 'For programs, as in `Failure`', examples: ['invalid-request'] }),
    detail: z.string().meta({ description: 'For people', examples: ['The request is not valid'] }),
    errors: z.array(fault).optional().meta({ description: 'The faults, with pointers within the item' }),
  })
  .meta({ id: 'ItemError' });

const index = z.int().meta({ description: 'The place in the request, from 0', examples: [0] });

const createdItem = z.strictObject({ index, interaction }).meta({ id: 'CreatedItem' });

const rejectedItem = z.strictObject({ index, error: itemError }).meta({
  id: 'RejectedItem',
  description:
    'An item without an interaction. Unless its error is `invalid-request`, its customer and the details in ' +
    '`customer` can have been set before',
});

type ShownError = z.output<typeof itemError>;

const createInteractions = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/interactions/bulk',
  access: 'key',
  scope: 'interactions:write',
  operationId: 'createInteractions',
  clientMethod: 'interactions.createBulk',
  tag: 'Interactions',
  summary: `Create up to ${itemsMax} interactions`,
  description: `Each item is a body of \`POST /interactions\`, with its rules, and is created as by a single call, in
order. \`data\` has one item per body, in order: the interaction, or the error that the single call would have. A bad
item harms no other. Other errors are about the request as a whole, which then has no effect. The body has at most
${bodyBytesMax / 1024 / 1024} MiB and ${bodyValuesMax} values. Every ${itemsPerCall} items count as a call. An
\`Idempotency-Key\` covers the request: a replay has the same interactions and errors.`,
  params: inWorkspace,
  body: newInteractions,
  bodyLimits: bulkBodyLimits,
  items: 'interactions',
  errors: ['conversations-too-large'],
  data: z.array(z.union([createdItem, rejectedItem])),
  idempotencyKey: 'accepted',
  isVersioned: false,
  timeoutMs: bulkTimeoutMs,
  handle: async ({ params: { workspaceId }, body }, call, deps) => {
    const items = body.interactions;
    call.charge(callsOfItems(items.length) - 1);
    const valid = items.flatMap((item): NewInteraction[] =>
      'value' in item ? [toNewInteraction(item.value)] : [],
    );
    const request = { workspaceId, interactions: valid, idempotency: call.idempotency, ...creatorOf(call) };
    const { results, replayed } = await deps.interactions.createInteractions(request, call.rpc());
    const rows = results.map((result) => result.interaction);
    const reader = await readerOfInteractions(call.reader, workspaceId, rows, call.rpc, deps);
    const show = createErrorPresenter();
    const next = results.values();
    const data = items.map((item, index) => {
      if (!('value' in item)) return { index, error: show(refusalOf(item.faults)) };
      const { interaction: row, error } = required(next.next().value);
      return row
        ? { index, interaction: toInteraction(row, deps.landingUrl, reader) }
        : { index, error: show(required(error)) };
    });
    return { data, replayed };
  },
});

function refusalOf(faults: Fault[]): ItemError {
  const { code, type, message: detail } = invalidRequest(faults);
  return { code, type, detail, faults };
}

/** Returns a function that shows the errors of one answer. They have `bulkFaultsMax` faults, and each has its first. */
function createErrorPresenter(): (error: ItemError) => ShownError {
  let left = bulkFaultsMax;
  return ({ code, type, detail, faults, retryAt }) => {
    const few = truncateFaults(faults).slice(0, Math.max(1, left));
    const errors = few.map((one) => ({ ...one, ...(retryAt && { retryAt }) }));
    left -= errors.length;
    const { http } = errorCodes[code as ErrorCode] ?? errorCodes.internal;
    return { code: http, type, detail, ...(errors.length > 0 && { errors }) };
  };
}

export const bulkCreationRoutes: Route[] = [createInteractions];
