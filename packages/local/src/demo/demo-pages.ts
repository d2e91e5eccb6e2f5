import { join } from 'node:path';
import { type Demo, readSampleBot, type SampleBot } from './demo.ts';
import { writePrivateJson } from '../files/private-files.ts';

/** The customer of the interaction whose link a start prints. */
const visitorId = 'visitor';

const shopCustomer = { id: 'robin', firstName: 'Robin', lastName: 'Vale', email: 'robin@example.com' };

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

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo-page.json');
}

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
  demo: Demo,
  workspace: DemoCalls,
): Promise<string> {
  const { workspaceId, apiKey, apiSecret, bots } = demo;
  // It exists already after an earlier start: 409.
  await workspace.post('/customers', shopCustomer, [409]);
  const customerId = shopCustomer.id;
  const resolved = Object.fromEntries(
    Object.entries(offers).map(([name, offer]) => [name, offerOf(offer, bots)]),
  );
  await ensureOpen(workspace, { customerId, ...offerOf(offers.order, bots) });
  const shop = { workspaceId, apiKey, apiSecret, customerId, offers: resolved };
  await writePrivateJson(demoFile(dataDir), shop);

  const greeting = { botId: bots['nps-follow-up'], priority: 'Medium' as const, context: [] };
  const visit = await ensureOpen(workspace, { customerId: visitorId, ...greeting });
  const linkToken = visit.link.slice(visit.link.lastIndexOf('/') + 1);
  await writePrivateJson(docsExamplesFile(dataDir), await docsExamples(baseUrl, demo, visit.id, linkToken));
  return linkToken;
}

function offerOf({ bot, priority, context }: Offer, bots: Demo['bots']) {
  const entries = Object.entries(context).map(([key, value]) => ({ key, value }));
  return { botId: bots[bot], priority, context: entries };
}

interface DemoInteraction {
  id: string;
  link: string;
}

/** Calls of the API inside the demo workspace. They throw for an answer without success. */
export type DemoCalls = ReturnType<typeof callsOf>;

export function callsOf(baseUrl: string, { workspaceId, apiKey, apiSecret }: Demo) {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
  const send = async <Data>(path: string, init: RequestInit, accepted: number[] = []): Promise<Data> => {
    const response = await fetch(`${baseUrl}/v1/workspaces/${workspaceId}${path}`, {
      ...init,
      headers: { authorization, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(10_000),
    });
    const { data, detail } = (await response.json()) as { data: Data; detail: string };
    if (response.ok || accepted.includes(response.status)) return data;
    throw new Error(`${path} answered ${response.status}: ${detail}`);
  };
  return {
    get: async <Data>(path: string) => send<Data>(path, {}),
    post: async <Data>(path: string, body: object, accepted?: number[]) =>
      send<Data>(path, { method: 'POST', body: JSON.stringify(body) }, accepted),
  };
}

/** Returns an open interaction of the customer, and creates the given one if there is none. */
async function ensureOpen(
  workspace: DemoCalls,
  given: { customerId: string } & ReturnType<typeof offerOf>,
): Promise<DemoInteraction> {
  for (const status of ['Pending', 'InProgress']) {
    const query = `customerId=${given.customerId}&status=${status}&pageSize=1`;
    const [open] = await workspace.get<DemoInteraction[]>(`/interactions?${query}`);
    if (open) return open;
  }
  return workspace.post<DemoInteraction>('/interactions', { ...given, status: 'Pending' });
}

/** Returns the address, key and ids of this run, for samples that work when copied. */
async function docsExamples(baseUrl: string, demo: Demo, interactionId: string, linkToken: string) {
  const { workspaceId, bots, apiKey, apiSecret } = demo;
  const botId = bots['nps-follow-up'];
  return {
    access: { baseUrl, apiKey, apiSecret },
    note: `The address, key and ids on this page are those of your local run, so samples run as they are. Only ids and
tokens that another call returns are missing: \`WEBHOOK_ID\` ([create a webhook](#createWebhook)), \`DELIVERY_ID\`
([send a test event](#sendTestEvent)), \`RECOVERY_ID\` ([recover deliveries](#recoverDeliveries)), \`CUSTOMER_TOKEN\`
([create a customer token](#createCustomerToken)), and \`SESSION_TOKEN\` ([begin a session](#createLinkSession)).`,
    params: { workspaceId, customerId: visitorId, interactionId, botId },
    bodies: {
      createLinkSession: { token: linkToken },
      createInteraction: {
        customerId: visitorId,
        botId,
        status: 'Pending',
        context: [{ key: 'productName', value: 'Tea' }],
      },
      publishBotVersion: { definition: JSON.parse(await readSampleBot('nps-follow-up')) as unknown },
    },
  };
}
