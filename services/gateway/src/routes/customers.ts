import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { CallOptions } from '@parley/rpc/definition';
import { z } from 'zod';
import type { ListLimit } from '../limits/list-limit.ts';
import { continuationOf, listTimeoutMs, longListDescription } from '../http/long-list.ts';
import { required } from '../values/message.ts';
import { pageMeta, pageOf, pageQuery } from '../values/page.ts';
import type { Peers } from '../peers.ts';
import { customer, toCustomer } from '../present/customer.ts';
import { toEmbeddedInteraction } from '../present/interaction.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';
import { customerId, email, personName } from '../values/text.ts';

const firstName = personName.meta({ examples: ['Ada'] });
const lastName = personName.meta({ examples: ['Lovelace'] });

const newCustomer = z
  .strictObject({
    id: customerId,
    firstName: firstName.default(''),
    lastName: lastName.default(''),
    email: email.default(''),
  })
  .meta({ id: 'NewCustomer' });

const customerChange = z
  .strictObject({ firstName, lastName, email })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must have at least one of firstName, lastName, email')
  .meta({ id: 'CustomerChange', minProperties: 1 });

const oneCustomer = inWorkspace.extend({ customerId });

/** Customers. An answer with one customer has all of its interactions, or fails. A long one may fail after its start. */
export function customerRoutes(
  { customers, interactions }: Peers,
  landingUrl: string,
  limitLists: ListLimit,
): Route[] {
  /** Returns the first of a customer's interactions and the continuation of the list. */
  const interactionsOf = async (workspaceId: string, customerId: string, rpc: () => CallOptions) => {
    const load = async (after: string | undefined, rpcOfPart: () => CallOptions) => {
      const request = { workspaceId, customerId, after };
      const { interactions: rows, ...part } = await limitLists(workspaceId, () =>
        interactions.listCustomerInteractions(request, rpcOfPart()),
      );
      return { rows, ...part };
    };
    const first = await load(undefined, rpc);
    const show = (one: Interaction) => toEmbeddedInteraction(one, landingUrl);
    const continuation = continuationOf(first, show, (after, _, rpcOfPart) => load(after, rpcOfPart));
    return { first: first.rows, continuation };
  };
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/customers/{customerId}',
      access: 'key',
      operationId: 'getCustomer',
      tag: 'Customers',
      summary: 'Get a customer with its interactions, newest first',
      description: longListDescription,
      params: oneCustomer,
      data: customer,
      timeoutMs: listTimeoutMs,
      handle: async ({ params: { workspaceId, customerId: id } }, call) => {
        const [row, theirs] = await Promise.all([
          customers.getCustomer({ workspaceId, id }, call.rpc()),
          interactionsOf(workspaceId, id, call.rpc),
        ]);
        const { first, continuation } = theirs;
        return { data: toCustomer(row, first, landingUrl), continuation, version: row.version };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/customers',
      access: 'key',
      operationId: 'listCustomers',
      tag: 'Customers',
      summary: 'List the customers, oldest first',
      params: inWorkspace,
      query: pageQuery,
      data: z.array(customer),
      handle: async ({ params: { workspaceId }, query }, call) => {
        const list = await customers.listCustomers({ workspaceId, page: pageOf(query) }, call.rpc());
        return {
          data: list.customers.map((row) => toCustomer(row, [], landingUrl)),
          meta: pageMeta(query, list.total),
        };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/customers',
      access: 'key',
      operationId: 'createCustomer',
      tag: 'Customers',
      summary: 'Create a customer',
      errors: ['customer-exists'],
      params: inWorkspace,
      body: newCustomer,
      data: customer,
      idempotencyKey: 'accepted',
      handle: async ({ params: { workspaceId }, body }, call) => {
        const { idempotency } = call;
        const made = await customers.createCustomer({ workspaceId, ...body, idempotency }, call.rpc());
        const row = required(made.customer);
        return { data: toCustomer(row, [], landingUrl), version: row.version, replayed: made.replayed };
      },
    }),
    route({
      method: 'PATCH',
      path: '/v1/workspaces/{workspaceId}/customers/{customerId}',
      access: 'key',
      operationId: 'updateCustomer',
      tag: 'Customers',
      summary: 'Change the details of a customer',
      params: oneCustomer,
      body: customerChange,
      data: customer,
      timeoutMs: listTimeoutMs,
      handle: async ({ params: { workspaceId, customerId: id }, body }, call) => {
        // Nothing is written if the first part cannot be loaded. A later part can still fail after the write.
        const { first, continuation } = await interactionsOf(workspaceId, id, call.rpc);
        const change = { workspaceId, id, ...body, ifVersion: call.ifVersion };
        const row = await customers.updateCustomer(change, call.rpc());
        return { data: toCustomer(row, first, landingUrl), continuation, version: row.version };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/customers/{customerId}/anonymise',
      access: 'key',
      operationId: 'anonymiseCustomer',
      tag: 'Customers',
      summary: 'Remove the personal details of a customer from every copy; the history stays',
      description: `Afterwards neither name nor email is in any store of the deployment, transcripts and webhook logs included; ids,
statuses, timestamps and scores stay. Open interactions expire, and the links and sessions of all die. May be repeated.`,
      params: oneCustomer,
      data: z.null(),
      timeoutMs: 30_000,
      handle: async ({ params: { workspaceId, customerId: id } }, call) => {
        await customers.anonymiseCustomer({ workspaceId, id }, call.rpc());
        return { data: null };
      },
    }),
  ];
}
