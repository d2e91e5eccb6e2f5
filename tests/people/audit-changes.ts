import type { WorkspaceClient } from '@parley/client';
import type { Answer } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import type { Receiver } from '@parley/testing/peers/receiver';
import { expect } from 'vitest';
import { callsIn, createKey } from './limited-keys.ts';
import type { createNpsWorkspace } from '../insight/nps-workspace.ts';
import { npsBot } from '../conversations/sample-bots.ts';

/** A workspace with a bot, and the receiver of its webhooks. `called` has the operations that `client` was used for. */
export type World = Awaited<ReturnType<typeof createNpsWorkspace>> & {
  receiver: Receiver;
  baseUrl: string;
  client: WorkspaceClient;
  called: Set<string>;
};

/** A call that changes something, and its action in the audit log. */
export interface Change {
  action: string;
  /** Further actions of the same call, before it. */
  brings?: string[];
  isByClient?: true;
  /** Makes what the call changes, and returns the call. */
  prepare(world: World): Promise<() => Promise<Answer<unknown>>>;
}

type Send = (world: World) => Promise<Answer<unknown>>;

/** A change that needs nothing first. */
const direct = (action: string, send: Send): Change => ({
  action,
  prepare: async (world) => () => send(world),
});

/** A call of the published client. */
interface ClientCall {
  answer(): Promise<{ requestId: string | undefined }>;
}

async function sentBy(call: ClientCall): Promise<Answer<unknown>> {
  const { requestId = '' } = await call.answer();
  return { status: 200, headers: new Headers({ 'x-request-id': requestId }), body: null as never };
}

/** A change by the published client, which needs nothing first. */
const byClient = (action: string, call: (client: WorkspaceClient) => ClientCall): Change => ({
  ...direct(action, ({ client }) => sentBy(call(client))),
  isByClient: true,
});

/** A change by the published client of a resource that is made first. */
const byClientOf = <Made>(
  action: string,
  make: (client: WorkspaceClient) => Promise<Made>,
  call: (client: WorkspaceClient, made: Made) => ClientCall,
): Change => ({
  action,
  isByClient: true,
  prepare: async ({ client }) => {
    const made = await make(client);
    return () => sentBy(call(client, made));
  },
});

/** The creation of an interaction for a customer that does not exist. */
const withCustomer = (send: Send): Change => ({
  ...direct('interaction.created', send),
  brings: ['customer.created'],
});

/** A change of a resource that is made first. */
function of<Made>(make: (world: World) => Promise<Made>) {
  return (action: string, send: (world: World, made: Made) => Promise<Answer<unknown>>): Change => ({
    action,
    prepare: async (world) => {
      const made = await make(world);
      return () => send(world, made);
    },
  });
}

let made = 0;
const next = (): string => `made-${(made += 1)}`;

const ofCustomer = of(async ({ workspace }) => {
  const { id } = await workspace.client.customers.create({ id: next() });
  return `/customers/${id}`;
});
const ofInteraction = of(
  async ({ create }) => `/interactions/${(await create({ customerId: next() })).body.data.id}`,
);
const ofKey = of(async ({ workspace }) => `/apikeys/${(await createKey(workspace, ['audit:read'])).apiKey}`);
const invited = (): object => ({ email: `${next()}@shop.example`, role: 'viewer' });
const ofMember = of(async ({ workspace: { api } }) => {
  const { body } = await api.post<{ memberId: string }>('/members/invitations', invited());
  return `/members/${body.data.memberId}`;
});
const hookIn = async ({ workspace, receiver }: World): Promise<string> => {
  const body = { url: receiver.url, secretToken: next(), isActive: true };
  return `/webhooks/${(await workspace.client.webhooks.create(body)).id}`;
};
const ofWebhook = of(hookIn);
const ofDelivery = of(async (world) => {
  const hook = await hookIn(world);
  const { body } = await world.workspace.api.post<{ id: string }>(`${hook}/test`);
  const path = `${hook}/deliveries/${body.data.id}`;
  await eventually(async () => {
    const delivery = await world.workspace.api.get<{ state: string }>(path);
    expect(delivery.body.data.state).toBe('succeeded');
  });
  return path;
});
const definition = (): object => ({ ...(npsBot as object), key: next(), name: next() });
const draft = () => ({ body: { definition: { name: next() } }, headers: { 'if-none-match': '*' } });
const botIn = async ({ workspace }: World): Promise<string> =>
  `/bots/${await workspace.publish(definition())}`;
const ofBot = of(botIn);
const ofDraft = of(async (world) => {
  const path = `${await botIn(world)}/draft`;
  await world.workspace.api.call('PUT', path, draft());
  return path;
});
const ofOpenLink = of(async ({ workspace: { client }, botId }) => {
  const { id } = await client.bots.openLinks.create(botId, { name: next() });
  return `/bots/${botId}/open-links/${id}`;
});
const since = { since: '2026-01-01T00:00:00Z' };

/** Each operation of the API that changes something, by its id. */
export const changes: Record<string, Change> = {
  createCustomer: direct('customer.created', ({ workspace: { api } }) =>
    api.post('/customers', { id: next() }),
  ),
  updateCustomer: ofCustomer('customer.updated', ({ workspace: { api } }, path) =>
    api.patch(path, { firstName: next() }),
  ),
  anonymiseCustomer: ofCustomer('customer.anonymised', ({ workspace: { api } }, path) =>
    api.post(`${path}/anonymise`),
  ),
  deleteAnonymousCustomers: of(({ workspace: { client } }) =>
    client.customers.create({ id: `anonymous-${String((made += 1)).padStart(32, '0')}` }),
  )('customer.deleted', ({ workspace: { api } }) => api.delete('/customers?anonymous=true')),
  deleteCustomer: ofCustomer('customer.deleted', ({ workspace: { api } }, path) => api.delete(path)),
  createCustomerToken: ofCustomer('customerToken.created', ({ workspace: { api } }, path) =>
    api.post(`${path}/token`),
  ),
  createInteraction: withCustomer(({ create }) => create({ customerId: next() })),
  createInteractions: withCustomer(({ workspace: { api }, botId }) =>
    api.post('/interactions/bulk', { interactions: [{ customerId: next(), botId }] }),
  ),
  updateInteraction: ofInteraction('interaction.updated', ({ workspace: { api } }, path) =>
    api.patch(path, { priority: 'High' }),
  ),
  deleteInteraction: ofInteraction('interaction.deleted', ({ workspace: { api } }, path) => api.delete(path)),
  deleteTestInteractions: of(({ create }) => create({ customerId: next(), isTest: true }))(
    'interaction.deleted',
    ({ workspace: { api } }) => api.delete('/interactions?isTest=true'),
  ),
  createBot: direct('bot.created', ({ workspace: { api } }) => api.post('/bots', definition())),
  publishBotVersion: direct('bot.published', ({ workspace: { api }, botId }) =>
    api.post(`/bots/${botId}/versions`, { ...(npsBot as object), name: next() }),
  ),
  saveBotDraft: ofBot('botDraft.saved', ({ workspace: { api } }, path) =>
    api.call('PUT', `${path}/draft`, draft()),
  ),
  discardBotDraft: ofDraft('botDraft.discarded', ({ workspace: { api } }, path) => api.delete(path)),
  createOpenLink: direct('openLink.created', ({ workspace: { api }, botId }) =>
    api.post(`/bots/${botId}/open-links`, { name: next() }),
  ),
  updateOpenLink: ofOpenLink('openLink.updated', ({ workspace: { api } }, path) =>
    api.patch(path, { isClosed: true }),
  ),
  deleteOpenLink: ofOpenLink('openLink.deleted', ({ workspace: { api } }, path) => api.delete(path)),
  createWebhook: direct('webhook.created', ({ workspace: { api }, receiver: { url } }) =>
    api.post('/webhooks', { url, secretToken: next(), isActive: true }),
  ),
  updateWebhook: ofWebhook('webhook.updated', ({ workspace: { api } }, path) =>
    api.patch(path, { isActive: false }),
  ),
  updateWebhookOptions: ofWebhook('webhook.updated', ({ workspace: { api } }, path) =>
    api.patch(`${path}/options`, { ordering: 'strict' }),
  ),
  deleteWebhook: ofWebhook('webhook.deleted', ({ workspace: { api } }, path) => api.delete(path)),
  rotateSigningSecret: ofWebhook('signingSecret.rotated', ({ workspace: { api } }, path) =>
    api.post(`${path}/secret/rotate`),
  ),
  sendTestEvent: ofWebhook('webhook.tested', ({ workspace: { api } }, path) => api.post(`${path}/test`)),
  recoverDeliveries: ofWebhook('recovery.started', ({ workspace: { api } }, path) =>
    api.post(`${path}/recover`, since),
  ),
  retryDelivery: ofDelivery('delivery.retried', ({ workspace: { api } }, path) => api.post(`${path}/retry`)),
  createPortalLink: direct('portalLink.created', ({ workspace: { api } }) =>
    api.post('/webhooks/portal-links', { name: next() }),
  ),
  revokePortalLink: byClientOf(
    'portalLink.revoked',
    ({ webhooks }) => webhooks.portalLinks.create({}),
    ({ webhooks }, { id }) => webhooks.portalLinks.revoke(id),
  ),
  updateContactPolicy: byClient('contactPolicy.updated', ({ contactPolicy }) =>
    contactPolicy.update({ sameBot: { count: 100, days: 1 } }),
  ),
  updateRetention: byClient('retention.updated', ({ retention }) => retention.update({ completedDays: 30 })),
  setAllowedDomains: direct('workspace.updated', ({ workspace: { api } }) =>
    api.post('/allowed-domains', { allowedDomains: [`https://${next()}.example`] }),
  ),
  updateBranding: direct('branding.updated', ({ workspace: { api } }) =>
    api.patch('/branding', { displayName: next() }),
  ),
  rotateSdkSecret: direct('sdkSecret.rotated', ({ workspace: { api } }) => api.post('/sdk-secret/rotate')),
  createApiKey: direct('key.created', ({ workspace: { api } }) =>
    api.post('/apikeys', { name: next(), scopes: ['audit:read'] }),
  ),
  updateApiKey: ofKey('key.updated', ({ workspace: { api } }, path) => api.patch(path, { name: next() })),
  revokeApiKey: ofKey('key.revoked', ({ workspace: { api } }, path) => api.delete(path)),
  inviteMember: direct('member.invited', ({ workspace: { api } }) =>
    api.post('/members/invitations', invited()),
  ),
  updateMember: ofMember('member.updated', ({ workspace: { api } }, path) =>
    api.patch(path, { role: 'editor' }),
  ),
  removeMember: ofMember('member.removed', ({ workspace: { api } }, path) => api.delete(path)),
  rotateApiKeySecret: {
    action: 'key.rotated',
    prepare: async ({ workspace, baseUrl }) => {
      const key = await createKey(workspace, ['audit:read']);
      return () => callsIn(baseUrl, workspace.id, key).post('/apikeys/rotate');
    },
  },
};

/** The changes that the published client makes: `tests/people/audit-walk.e2e.test.ts` proves each. */
export const changesByClient = Object.keys(changes).filter((operationId) => changes[operationId]?.isByClient);

/** Each operation that takes no GET and leaves no row, with the reason. */
export const withoutRow: Record<string, string> = {
  previewRetention: 'changes nothing',
  replayConversations: 'changes nothing; tests/audited-reads.e2e has the row of a person',
  renewPresence: 'changes nothing of the workspace, and ends by itself',
  endPresence: 'as renewPresence',
  leaveWorkspace: 'an API key is no member; tests/people.e2e has the row of a person',
  endSession: 'an API key has none; tests/people.e2e has the row of a person',
  createSession: 'of a customer',
  createLinkSession: 'of a customer',
  startConversation: 'of a customer',
  postMessage: 'of a customer',
  reviseAnswer: 'of a customer',
};

/** Reads that leave a row. */
export const auditedReads: Record<string, Change> = {
  exportInteractions: direct(
    'interactions.exported',
    async ({ workspace: { id, apiKey, apiSecret }, baseUrl }) => {
      const credentials = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
      const { status, headers, ...answer } = await fetch(
        `${baseUrl}/v1/workspaces/${id}/interactions/export`,
        {
          headers: { authorization: `Basic ${credentials}` },
        },
      );
      return { ...answer, status, headers, body: null as never };
    },
  ),
  exportCustomer: ofCustomer('customer.exported', ({ workspace: { api } }, path) =>
    api.get(`${path}/export`),
  ),
};
