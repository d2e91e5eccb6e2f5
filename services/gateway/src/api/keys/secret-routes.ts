import { AppError } from '@parley/runtime/errors';
import { z } from 'zod';
import { inWorkspace, notForCaller, type Route, route } from '../../http/server/route.ts';
import { customerId, tokenExample } from '../../values/text.ts';
import { timestamp, toTimestamp } from '../../values/timestamp.ts';

const rotateApiKeySecret = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/apikeys/rotate',
  access: 'key',
  scope: 'any',
  operationId: 'rotateApiKeySecret',
  clientMethod: 'keys.rotateApiKeySecret',
  tag: 'Keys and secrets',
  summary: "Replace the API key's secret; only in the workspace that the key was created for",
  description: `After the answer, no gateway accepts the old secret. The new one is shown only once, so an
\`Idempotency-Key\` is rejected (400). Of concurrent calls with the same secret, one succeeds and the others get 401.`,
  errors: ['not-home-workspace', 'not-for-caller'],
  params: inWorkspace,
  data: z.strictObject({ secret: z.string().meta({ examples: ['prl_sec_...'] }) }),
  idempotencyKey: 'refused',
  // The usual limit, and the three seconds that a rotation waits for a gateway that cannot be notified.
  timeoutMs: 8_000,
  handle: async ({ params: { workspaceId } }, call, { identity }) => {
    const { type, id: apiKey, version } = call.principal;
    if (type !== 'key')
      throw notForCaller('Only an API key can rotate its secret. A person can create another key');
    return { data: await identity.rotateSecret({ workspaceId, apiKey, version }, call.rpc()) };
  },
});

const rotateSdkSecret = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/sdk-secret/rotate',
  access: 'key',
  scope: 'keys:write',
  operationId: 'rotateSdkSecret',
  clientMethod: 'keys.rotateSdkSecret',
  tag: 'Keys and secrets',
  summary: 'Create a new SDK secret; the previous one stays valid until the next rotation',
  description: 'The secret is shown only once, so an `Idempotency-Key` is rejected (400).',
  params: inWorkspace,
  data: z.strictObject({
    kid: z.string().meta({ examples: ['2TfPq0XyR7mJc4KbVn9sLw'] }),
    secret: z.string().meta({ examples: ['prl_sdk_...'] }),
  }),
  idempotencyKey: 'refused',
  handle: async ({ params }, call, { identity }) => ({
    data: await identity.rotateSdkSecret({ workspaceId: params.workspaceId }, call.rpc()),
  }),
});

const createCustomerToken = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/customers/{customerId}/token',
  access: 'key',
  scope: 'customers:write',
  operationId: 'createCustomerToken',
  clientMethod: 'customers.createToken',
  tag: 'Keys and secrets',
  summary: 'Sign a customer token',
  description:
    "For `POST /public/v1/workspaces/{workspaceId}/sessions`, called by the customer's browser. The customer " +
    'must exist.',
  params: inWorkspace.extend({ customerId }),
  data: z.strictObject({
    customerToken: z.string().meta({ examples: [tokenExample] }),
    expiresAt: timestamp,
  }),
  handle: async ({ params }, call, { identity, customers }) => {
    const { workspaceId } = params;
    const customer = await existingCustomer(
      customers.getCustomer({ workspaceId, id: params.customerId }, call.rpc()),
    );
    const minted = await identity.mintCustomerToken({ workspaceId, customerId: customer.id }, call.rpc());
    const { customerToken, expiresAt } = minted;
    return { data: { customerToken, expiresAt: toTimestamp(expiresAt) } };
  },
});

export const keyRoutes: Route[] = [rotateApiKeySecret, rotateSdkSecret, createCustomerToken];

// The path names workspace and customer. The error says that the customer is missing.
async function existingCustomer<Row>(asked: Promise<Row>): Promise<Row> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError('not_found', 'not-found', 'There is no such customer: create it first');
  }
}
