import { join } from 'node:path';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { type Interaction, InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import { createLogger } from '@parley/runtime/logger';
import type { RpcClient } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import { type Demo, type OperatorAccess, readSampleBot, type SampleBot } from './demo.ts';
import { writePrivateJson } from './private-files.ts';

/** The customer of the interaction whose link a start prints. */
const visitorId = 'visitor';

/** The customer who is logged in at the shop of the demo page. */
const shopCustomer = { id: 'robin', firstName: 'Robin', lastName: 'Vale', email: 'robin@example.com' };

const call = { requestId: 'local-demo-pages', timeoutMs: 10_000 };

/** A conversation that the shop can start. */
interface Offer {
  bot: SampleBot;
  priority: 'Low' | 'Medium' | 'High';
  context: Record<string, string>;
}

/** By their names on the demo page. */
const offers: Record<'order' | 'tasting' | 'job', Offer> = {
  order: { bot: 'nps-follow-up', priority: 'Medium', context: { productName: 'Morning Fog' } },
  tasting: {
    bot: 'appointment-reminder',
    priority: 'High',
    context: {
      appointmentDate: 'Friday',
      appointmentTime: '18:00',
      placeName: 'our shop at the harbour',
      reference: 'TASTE-6',
    },
  },
  job: {
    bot: 'candidate-screening',
    priority: 'Low',
    context: { jobTitle: 'a tea taster', location: 'Lisbon' },
  },
};

/** Returns the path of the file that gateways read for the demo page. */
export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo-page.json');
}

/** Returns the path of the file that gateways read for the samples of the docs page. */
export function docsExamplesFile(dataDir: string): string {
  return join(dataDir, 'docs-examples.json');
}

/**
 * Writes the files of the demo page and the docs page, and creates their interactions, unless open ones
 * exist. Returns the link token of the visitor's interaction.
 */
export async function ensureDemoPages(
  dataDir: string,
  baseUrl: string,
  access: OperatorAccess,
  demo: Demo,
): Promise<string> {
  const { workspaceId, apiKey, apiSecret, bots } = demo;
  const token = access.operatorToken;
  await using tls = openTls(access.tls, createLogger('local', 'silent'));
  using customerPeer = connect(access.customer, { token, tls: tls?.to('customer') });
  using interactionPeer = connect(access.interaction, { token, tls: tls?.to('interaction') });
  const customers = customerPeer.client(CustomerServiceService);
  const interactions = interactionPeer.client(InteractionServiceService);

  await customers
    .createCustomer({ workspaceId, ...shopCustomer, idempotency: null }, call)
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'already_exists') throw error;
    });
  const customerId = shopCustomer.id;
  const resolved = Object.fromEntries(
    Object.entries(offers).map(([name, offer]) => [name, offerOf(offer, bots)]),
  );
  await ensureOpen(interactions, { workspaceId, customerId, ...offerOf(offers.order, bots) });
  const shop = { workspaceId, apiKey, apiSecret, customerId, offers: resolved };
  await writePrivateJson(demoFile(dataDir), shop);

  const greeting = { botId: bots['nps-follow-up'], priority: 'Medium' as const, context: [] };
  const visit = await ensureOpen(interactions, { workspaceId, customerId: visitorId, ...greeting });
  await writePrivateJson(docsExamplesFile(dataDir), await docsExamples(baseUrl, demo, visit));
  return visit.linkToken;
}

function offerOf({ bot, priority, context }: Offer, bots: Demo['bots']) {
  const entries = Object.entries(context).map(([key, value]) => ({ key, value }));
  return { botId: bots[bot], priority, context: entries };
}

/** Returns an open interaction of the customer, and creates the given one if there is none. */
async function ensureOpen(
  interactions: RpcClient<typeof InteractionServiceService>,
  request: { workspaceId: string; customerId: string } & ReturnType<typeof offerOf>,
): Promise<Interaction> {
  const existing = await interactions.listCustomerInteractions(request, call);
  const open = existing.interactions.find(({ status }) => status === 'Pending' || status === 'InProgress');
  if (open) return open;
  const created = { ...request, status: 'Pending' as const, expirySeconds: null, idempotency: null };
  const { interaction } = await interactions.createInteraction(created, call);
  if (!interaction) throw new Error('the response to the creation of an interaction has none');
  return interaction;
}

/** Returns the address, key and ids of this run, for samples that work when copied. */
async function docsExamples(baseUrl: string, demo: Demo, visit: Interaction) {
  const { workspaceId, bots, apiKey, apiSecret } = demo;
  const botId = bots['nps-follow-up'];
  return {
    access: { baseUrl, apiKey, apiSecret },
    note: `The address, key and ids on this page are those of your local run, so samples run as they are. Only ids and
tokens that another call returns are missing: \`WEBHOOK_ID\` ([create a webhook](#createWebhook)), \`DELIVERY_ID\`
([send a test event](#sendTestEvent)), \`RECOVERY_ID\` ([recover deliveries](#recoverDeliveries)), \`CUSTOMER_TOKEN\`
([create a customer token](#createCustomerToken)), and \`SESSION_TOKEN\` ([begin a session](#createLinkSession)).`,
    params: { workspaceId, customerId: visitorId, interactionId: visit.id, botId },
    bodies: {
      createLinkSession: { token: visit.linkToken },
      createInteraction: {
        customerId: visitorId,
        botId,
        status: 'Pending',
        context: [{ key: 'productName', value: 'Tea' }],
      },
      publishBotVersion: JSON.parse(await readSampleBot('nps-follow-up')) as unknown,
    },
  };
}
