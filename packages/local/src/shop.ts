import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import {
  type CreateInteractionRequest,
  InteractionServiceService,
} from '@parley/contracts/interaction/v1/interaction';
import { connect } from '@parley/rpc/connect';
import { AppError } from '@parley/runtime/errors';
import type { Demo, OperatorAccess } from './demo.ts';
import { demoFile } from './demo-file.ts';
import { writePrivateFile } from './private-file.ts';
import type { SampleBot } from './sample-bots.ts';

/** Who is logged in at the shop of the demo page. */
const customer = { id: 'robin', firstName: 'Robin', lastName: 'Vale', email: 'robin@example.com' };
const call = { requestId: 'local-shop', timeoutMs: 10_000 };

/** A talk that the shop can have its customer asked. */
interface Offer {
  bot: SampleBot;
  priority: 'Low' | 'Medium' | 'High';
  context: Record<string, string>;
}

/** By the names that the page uses. */
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

/** Makes the customer of the demo page, and a talk that waits on it unless one does; then says so in its file. */
export async function ensureShop(
  dataDir: string,
  access: OperatorAccess,
  rpcToken: string,
  { workspaceId, apiKey, apiSecret, bots }: Demo,
): Promise<void> {
  using customerPeer = connect(access.customer, { token: rpcToken });
  using interactionPeer = connect(access.interaction, { token: rpcToken });
  const customers = customerPeer.client(CustomerServiceService);
  const interactions = interactionPeer.client(InteractionServiceService);
  const customerId = customer.id;

  await customers
    .createCustomer({ workspaceId, ...customer, idempotency: null }, call)
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'already_exists') throw error;
    });
  const { interactions: talks } = await interactions.listCustomerInteractions(
    { workspaceId, customerId },
    call,
  );
  const waits = talks.some(({ status }) => status === 'Pending' || status === 'InProgress');
  if (!waits) {
    const first: CreateInteractionRequest = {
      workspaceId,
      customerId,
      ...toTalk(offers.order, bots),
      status: 'Pending',
      expirySeconds: null,
      idempotency: null,
    };
    await interactions.createInteraction(first, call);
  }
  const named = Object.entries(offers).map(([name, offer]) => [name, toTalk(offer, bots)] as const);
  const shop = { workspaceId, apiKey, apiSecret, customerId, talks: Object.fromEntries(named) };
  await writePrivateFile(demoFile(dataDir), shop);
}

function toTalk({ bot, priority, context }: Offer, bots: Demo['bots']) {
  const entries = Object.entries(context).map(([key, value]) => ({ key, value }));
  return { botId: bots[bot], priority, context: entries };
}
