import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { botKey, customerId, id } from '../../values/text.ts';
import { contactability, contactPolicy, limits, toContactability, toContactPolicy } from './present.ts';

const change = z
  .strictObject(limits)
  .partial()
  .refine((given) => Object.keys(given).length > 0, 'Must have at least one of anyBot, sameBot')
  .meta({
    id: 'ContactPolicyChange',
    minProperties: 1,
    examples: [{ anyBot: { count: 3, days: 90 }, sameBot: { count: 1, days: 30 } }],
  });

const getContactPolicy = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/contact-policy',
  access: 'key',
  scope: 'workspace:read',
  operationId: 'getContactPolicy',
  clientMethod: 'contactPolicy.get',
  tag: 'Workspaces',
  summary: 'Get how often customers may be offered interactions',
  params: inWorkspace,
  data: contactPolicy,
  handle: async ({ params: { workspaceId } }, call, { interactions }) => {
    const policy = await interactions.getContactPolicy({ workspaceId }, call.rpc());
    return { data: toContactPolicy(policy), version: policy.version };
  },
});

const updateContactPolicy = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/contact-policy',
  access: 'key',
  scope: 'workspace:write',
  operationId: 'updateContactPolicy',
  clientMethod: 'contactPolicy.update',
  tag: 'Workspaces',
  summary: 'Change how often customers may be offered interactions',
  description: `Counts the interactions of a customer that were \`Pending\`, or started, in the last days. Drafts, imports
and test interactions do not count. Deleted interactions count, until their customer is deleted. Beyond a limit, offering is
\`contact-limit\`. The policy is in force for all calls that begin after the answer.`,
  params: inWorkspace,
  body: change,
  data: contactPolicy,
  handle: async ({ params: { workspaceId }, body }, call, { interactions }) => {
    // A count of 0 stands for null.
    const changed = (limit: (typeof body)['anyBot']) => limit && { ...limit };
    const none = { count: 0, days: 0 };
    const policy = await interactions.updateContactPolicy(
      {
        workspaceId,
        anyBot: body.anyBot === null ? none : (changed(body.anyBot) ?? null),
        sameBot: body.sameBot === null ? none : (changed(body.sameBot) ?? null),
        ifVersion: call.ifVersion,
      },
      call.rpc(),
    );
    return { data: toContactPolicy(policy), version: policy.version };
  },
});

const getContactability = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/customers/{customerId}/contactability',
  access: 'key',
  scope: 'interactions:read',
  operationId: 'getContactability',
  clientMethod: 'customers.getContactability',
  tag: 'Customers',
  summary: 'Get whether a customer may be offered an interaction now',
  description: `Changes nothing. Without a bot, only the limit of all bots counts.`,
  params: inWorkspace.extend({ customerId: customerId.meta({ description: 'The id of the customer' }) }),
  query: z.object({
    botId: id.optional().meta({ description: 'The id of the bot that would offer; or give its `botKey`' }),
    botKey: botKey.optional().meta({ description: 'The `key` of its definition, instead of `botId`' }),
  }),
  data: contactability,
  handle: async ({ params, query }, call, { customers, interactions }) => {
    const { workspaceId, customerId: customer } = params;
    const [found] = await Promise.all([
      interactions.getContactability({ ...params, ...query }, call.rpc()),
      customers.getCustomer({ workspaceId, id: customer }, call.rpc()),
    ]);
    return { data: toContactability(found) };
  },
});

/** How often customers may be offered interactions, and whether one may be. */
export const contactRoutes: Route[] = [getContactPolicy, updateContactPolicy, getContactability];
