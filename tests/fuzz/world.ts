import type { OperatorAccess } from '@parley/local/demo/demo';
import { basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { anonymise } from '../customers/anonymise.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { messageTo, openBrowser } from '../conversations/conversation.ts';
import type { Known } from './values.ts';

/** A workspace with objects of every kind for calls. */
export interface World {
  workspace: TestWorkspace;
  /** Grows with created objects. */
  known: Record<string, unknown[]>;
  /** The headers of the holder of a key, of another key, and of a customer in a browser. */
  authorizations: { key: string; other: string; session: string };
}

const pooledMax = 30;

/** Creates one. Calls in it find the bot, the customers and the conversations. */
export async function createWorld(baseUrl: string, operator: OperatorAccess): Promise<World> {
  const [workspace, other] = await Promise.all([
    createWorkspace(baseUrl, operator),
    createWorkspace(baseUrl, operator),
  ]);
  const botId = await workspace.publish(npsBot);
  const customers = ['c', 'a/b', 'émile 😀', '%2F'];
  for (const id of customers) await workspace.api.post('/customers', { id, firstName: 'Ada' });
  const interactions = await Promise.all(
    ['Draft', 'Pending', 'Pending', 'Pending', 'InProgress'].map(async (status) => {
      const { body } = await workspace.api.post<{ id: string; link: string }>('/interactions', {
        customerId: 'c',
        botId,
        status,
      });
      return body.data;
    }),
  );
  // A closed port: deliveries reach no receiver.
  const url = 'http://127.0.0.1:9/';
  const { webhooks } = workspace.client;
  const hook = await webhooks.create({ url, secretToken: 's', isActive: true });
  const sent = [await webhooks.sendTest(hook.id), await webhooks.sendTest(hook.id)];
  const { meta } = await webhooks.deliveries.list(hook.id, { limit: 1 });
  const recovery = await webhooks.recover(hook.id, { since: '1970-01-01T00:00:00Z' });
  await workspace.api.post('/customers', { id: 'erased' });
  const erasure = await anonymise(workspace, 'erased');
  const browser = await openBrowser(baseUrl, workspace, 'c');
  const conversations = interactions.slice(1, 3);
  const [snapshot] = await Promise.all(conversations.map(({ id }) => browser.start(id)));
  if (!snapshot) throw new Error('there is no conversation');
  const { body: token } = await workspace.api.post<{ customerToken: string }>('/customers/c/token');
  const message = messageTo(snapshot, { value: 9 });
  return {
    workspace,
    known: {
      workspaceId: [...Array.from({ length: 20 }, () => workspace.id), other.id],
      botId: [botId],
      botKey: ['nps-follow-up'],
      customerId: customers,
      interactionId: [...interactions, ...conversations].map(({ id }) => id),
      webhookId: Array.from({ length: 20 }, () => hook.id),
      deliveryId: sent.map(({ id }) => id),
      recoveryId: [recovery.id],
      erasureId: [erasure.id],
      cursor: [meta.nextCursor],
      headers: [{ 'x-key': 'v' }, { 'X-Key': 'v', Host: 'v' }],
      since: ['2026-11-21T09:30:00Z', '1970-01-01T00:00:00.000000', '2026-11-21T09:30:00+01:00'],
      until: ['9999-12-31T23:59:59.999Z', '2026-11-21T09:30:00'],
      url: [url, 'https://127.0.0.1:9/x'],
      isActive: [false, true],
      wait: [0, 0, 0, 1],
      token: interactions.map(({ link }) => link.slice(link.lastIndexOf('/') + 1)),
      customerToken: [token.data.customerToken],
      expectedSeq: [message.expectedSeq, message.expectedSeq + 2],
      stepId: [message.stepId, 'reason'],
      key: ['productName', 'nps-follow-up'],
      answer: [{ value: 9 }, { text: 'ten' }, { skip: true }, { text: 'because' }],
    },
    authorizations: {
      key: basic(workspace.apiKey, workspace.apiSecret),
      other: basic(other.apiKey, other.apiSecret),
      session: `Bearer ${browser.sessionToken}`,
    },
  };
}

const pools: Record<string, keyof Known> = {
  createInteraction: 'interactionId',
  createCustomer: 'customerId',
  createBot: 'botId',
  createWebhook: 'webhookId',
  sendTestEvent: 'deliveryId',
  recoverDeliveries: 'recoveryId',
};

/** Makes later calls use the object that an answer has created. */
export function learn(world: World, operationId: string, body: string): void {
  const pool = world.known[pools[operationId] ?? ''];
  if (!pool) return;
  const { data } = JSON.parse(body) as { data: { id?: string } };
  if (data.id === undefined) return;
  pool.push(data.id);
  if (pool.length > pooledMax) pool.splice(1, 1);
}
