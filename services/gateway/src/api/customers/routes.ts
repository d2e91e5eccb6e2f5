import { detailNames, perDetail, searchedWords } from '@parley/contracts/customer-details';
import { customerIdCharactersMax, customerLimits, erasureLimits } from '@parley/contracts/limits';
import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { CallOptions } from '@parley/rpc/definition';
import { AppError, changeAttemptsMax, lostRace } from '@parley/runtime/errors';
import { z } from 'zod';
import { continuationOf, listTimeoutMs, longListDescription } from '../../http/answer/long-list.ts';
import { required } from '../../values/message.ts';
import { pageMeta, pageOf, pageQuery } from '../../values/page.ts';
import { customer, toCustomer } from './present.ts';
import type { Sealed } from '../../values/personal.ts';
import { toEmbeddedInteraction } from '../interactions/present.ts';
import { readerOfInteractions } from '../interactions/reader.ts';
import { requirePersonalData } from '../../values/reader.ts';
import { inWorkspace, type KeyCall, type Route, route } from '../../http/server/route.ts';
import type { RouteDeps } from '../../route-deps.ts';
import { customerId, detail, textSchema } from '../../values/text.ts';

const details = perDetail(detail);

const newCustomer = z
  .strictObject({
    id: customerId,
    ...perDetail((name) => detail(name).default('')),
  })
  .meta({ id: 'NewCustomer' });

export const customerDetails = z
  .strictObject(details)
  .partial()
  .meta({
    id: 'CustomerDetails',
    description:
      'Details of the customer to set; the others stay as they are. Needs the scope `customers:write` if the customer ' +
      'exists and has others',
  });

const customerChange = z
  .strictObject(details)
  .partial()
  .refine((change) => Object.keys(change).length > 0, `Must have at least one of ${detailNames.join(', ')}`)
  .meta({ id: 'CustomerChange', minProperties: 1 });

const oneCustomer = inWorkspace.extend({ customerId });

/** Returns the first of a customer's interactions and the continuation of the list. */
async function interactionsOf(
  workspaceId: string,
  customerId: string,
  { reader: caller, rpc }: KeyCall,
  deps: RouteDeps,
) {
  const load = async (after: string | undefined, rpcOfPart: () => CallOptions, onlyShort = false) => {
    const request = { workspaceId, customerId, after, onlyShort };
    const listed = await deps.interactions.listCustomerInteractions(request, rpcOfPart());
    const { interactions, ...part } = listed;
    const reader = await readerOfInteractions(caller, workspaceId, interactions, rpcOfPart, deps);
    return { rows: interactions.map((row) => toEmbeddedInteraction(row, deps.landingUrl, reader)), ...part };
  };
  const first = await deps.lists.first((onlyShort) => load(undefined, rpc, onlyShort));
  return {
    first: first.rows,
    continuation: continuationOf(
      first,
      (row) => row,
      (after, part) => load(after, part),
    ),
  };
}

const getCustomer = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/customers/{customerId}',
  access: 'key',
  scope: 'customers:read',
  operationId: 'getCustomer',
  clientMethod: 'customers.get',
  tag: 'Customers',
  summary: 'Get a customer with its interactions, newest first',
  description: longListDescription,
  params: oneCustomer,
  data: customer,
  timeoutMs: listTimeoutMs,
  handle: async ({ params: { workspaceId, customerId: id } }, call, deps) => {
    const { customers } = deps;
    const [row, { first, continuation }] = await Promise.all([
      customers.getCustomer({ workspaceId, id }, call.rpc()),
      interactionsOf(workspaceId, id, call, deps),
    ]);
    return { data: toCustomer(row, first, call.reader), continuation, version: row.version };
  },
});

const { idsMax } = customerLimits;

/** Customer ids, separated by commas. */
const customerIds = textSchema({ min: 1, max: idsMax * (customerIdCharactersMax + 1) })
  .transform((ids) => [...new Set(ids.split(','))])
  .pipe(z.array(customerId).max(idsMax, `Must be at most ${idsMax} ids`));

const customersQuery = pageQuery
  .extend({
    ids: customerIds.optional().meta({
      description:
        `Only the customers of these ids, separated by commas: 1 to ${idsMax}, without those that do not exist. All ` +
        'are on one page, and `page` and `pageSize` do not count. An id with a comma cannot be asked for like this',
      examples: ['customer-1,customer-2'],
    }),
    q: textSchema({ min: customerLimits.searchCharactersMin, max: customerLimits.searchCharactersMax })
      .optional()
      .meta({
        description:
          `Only those whose ${searchedWords} begins with this text, ignoring case. Two words ` +
          'also find a first and a last name that begin with them. Needs the scope `personal-data:read`',
        examples: ['lov'],
      }),
  })
  .refine(({ q, ids }) => q === undefined || ids === undefined, {
    path: ['ids'],
    error: 'Must not be combined with q',
  });

const listCustomers = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/customers',
  access: 'key',
  scope: 'customers:read',
  operationId: 'listCustomers',
  clientMethod: 'customers.list',
  tag: 'Customers',
  summary: 'List the customers, oldest first',
  params: inWorkspace,
  query: customersQuery,
  data: z.array(customer),
  handle: async ({ params: { workspaceId }, query }, call, { customers }) => {
    const { q, ids } = query;
    if (q !== undefined) requirePersonalData(call.reader, '/query/q');
    const shown = (rows: Sealed<Customer>[]) => rows.map((row) => toCustomer(row, [], call.reader));
    if (ids !== undefined) {
      const { customers: rows } = await customers.getCustomers({ workspaceId, ids }, call.rpc());
      return { data: shown(rows), meta: { ...pageMeta(query, rows.length), totalPages: 1, currentPage: 1 } };
    }
    const list = await customers.listCustomers(
      { workspaceId, page: pageOf(query), beginning: q },
      call.rpc(),
    );
    return { data: shown(list.customers), meta: pageMeta(query, list.total) };
  },
});

const createCustomer = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/customers',
  access: 'key',
  scope: 'customers:write',
  operationId: 'createCustomer',
  clientMethod: 'customers.create',
  tag: 'Customers',
  summary: 'Create a customer',
  errors: ['customer-exists'],
  params: inWorkspace,
  body: newCustomer,
  data: customer,
  idempotencyKey: 'accepted',
  handle: async ({ params: { workspaceId }, body }, call, { customers }) => {
    const { idempotency } = call;
    const made = await customers.createCustomer({ workspaceId, ...body, idempotency }, call.rpc());
    const row = required(made.customer);
    return { data: toCustomer(row, [], call.reader), version: row.version, replayed: made.replayed };
  },
});

const updateCustomer = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/customers/{customerId}',
  access: 'key',
  scope: 'customers:write',
  operationId: 'updateCustomer',
  clientMethod: 'customers.update',
  tag: 'Customers',
  summary: 'Change the details of a customer',
  params: oneCustomer,
  body: customerChange,
  data: customer,
  timeoutMs: listTimeoutMs,
  handle: async ({ params: { workspaceId, customerId: id }, body }, call, deps) => {
    const { customers } = deps;
    // Nothing is written if the first part cannot be loaded. A later part can still fail after the write.
    const { first, continuation } = await interactionsOf(workspaceId, id, call, deps);
    const change = { workspaceId, id, ...body, ifVersion: call.ifVersion };
    const row = await customers.updateCustomer(change, call.rpc());
    return { data: toCustomer(row, first, call.reader), continuation, version: row.version };
  },
});

const anonymiseCustomer = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/customers/{customerId}/anonymise',
  access: 'key',
  scope: 'customers:write',
  operationId: 'anonymiseCustomer',
  clientMethod: 'customers.anonymise',
  tag: 'Customers',
  summary: 'Remove the personal details of a customer everywhere; the history stays',
  description: `Afterwards no store of the deployment has the name or the email, including transcripts and webhook
logs. Ids, statuses, timestamps and scores stay, the customer's id for ever. Open interactions expire. All links and sessions end. May be repeated.
If ${erasureLimits.waitSecondsMax} seconds are not enough, the answer is 504, and the removal continues. \`detail\` has
the path of the erasure, which shows the progress. A call for a customer whose anonymisation is running joins it.`,
  errors: ['lost-race', 'anonymisation-continues'],
  params: oneCustomer,
  data: z.null(),
  waits: () => true,
  timeoutMs: 30_000,
  handle: ({ params: { workspaceId, customerId: id } }, call, { customers }) =>
    eraseCurrent({ workspaceId, id }, call, customers, async (request) => {
      const { erasureId, continues } = await customers.anonymiseCustomer(request, call.rpc());
      if (continues) throw removalContinues('anonymisation-continues', workspaceId, erasureId);
    }),
});

const deleteCustomer = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/customers/{customerId}',
  access: 'key',
  scope: 'customers:write',
  operationId: 'deleteCustomer',
  clientMethod: 'customers.delete',
  tag: 'Customers',
  summary: 'Delete a customer with all interactions',
  description: `Afterwards no store of the deployment has the customer, its interactions, their conversations, the bodies
of their events or the answers of receivers. All links and sessions end. The log of deliveries keeps ids and times. If
${erasureLimits.waitSecondsMax} seconds are not enough, the answer is 504, and the deletion continues. \`detail\` has the
path of the erasure, which shows the progress. A customer that is created again under this id has nothing of the deleted
one. The id itself stays for ever in the erasure with its receipt. All else forgets it with its age.`,
  errors: ['lost-race', 'deletion-continues'],
  params: oneCustomer,
  data: z.null(),
  waits: () => true,
  timeoutMs: 30_000,
  handle: ({ params: { workspaceId, customerId: id } }, call, { customers }) =>
    eraseCurrent({ workspaceId, id }, call, customers, async (request) => {
      const { erasureId, continues } = await customers.deleteCustomer(request, call.rpc());
      if (continues) throw removalContinues('deletion-continues', workspaceId, erasureId);
    }),
});

/**
 * Erases the version of the customer that exists now. A frozen replica may run the call after it was answered: it must
 * not remove what was set since.
 */
async function eraseCurrent(
  customer: { workspaceId: string; id: string },
  call: KeyCall,
  customers: RouteDeps['customers'],
  erase: (
    request: typeof customer & { ifVersion: number; waitSeconds: number; requestedBy: string },
  ) => Promise<void>,
): Promise<{ data: null }> {
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const { version } = await customers.getCustomer(customer, call.rpc());
    try {
      const waitSeconds = erasureLimits.waitSecondsMax;
      const requestedBy = call.principal.id;
      await erase({ ...customer, ifVersion: call.ifVersion ?? version, waitSeconds, requestedBy });
      return { data: null };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'aborted' || call.ifVersion !== undefined)
        throw error;
    }
  }
  throw lostRace();
}

function removalContinues(
  type: 'anonymisation-continues' | 'deletion-continues',
  workspaceId: string,
  erasureId: string,
): AppError {
  const path = `/v1/workspaces/${workspaceId}/erasures/${erasureId}`;
  const message = `The removal is not finished and continues. GET ${path} shows its progress`;
  return new AppError('deadline_exceeded', type, message);
}

/** An answer with one customer has all of its interactions, or fails. A long one may fail halfway. */
export const customerRoutes: Route[] = [
  getCustomer,
  listCustomers,
  createCustomer,
  updateCustomer,
  anonymiseCustomer,
  deleteCustomer,
];
