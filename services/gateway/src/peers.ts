import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { DeliveryServiceService } from '@parley/contracts/webhook/v1/delivery';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { connect, type Peer } from '@parley/rpc/connect';
import type { RpcTls } from '@parley/rpc/tls';
import type { Config } from './config.ts';

/** The names of the services behind the gateway. */
export const peerNames = ['identity', 'customer', 'interaction', 'webhook'] as const;

export type PeerName = (typeof peerNames)[number];

/** The services behind the gateway. */
export type Peers = ReturnType<typeof openPeers>;

/** Returns clients of the services. They connect at their first call. Disposing closes the connections. */
export function openPeers(config: Pick<Config, 'addresses' | 'rpcToken'>, tls?: RpcTls) {
  const { addresses } = config;
  const token = (): string => config.rpcToken;
  const open = (peer: PeerName): Peer =>
    connect(addresses[peer], { token, caller: 'gateway', tls: tls?.to(peer) });
  const identity = open('identity');
  const customer = open('customer');
  const interaction = open('interaction');
  const webhook = open('webhook');
  const all: Record<PeerName, Peer> = { identity, customer, interaction, webhook };

  return {
    identity: identity.client(IdentityServiceService),
    customers: customer.client(CustomerServiceService),
    interactions: interaction.client(InteractionServiceService),
    bots: interaction.client(BotServiceService),
    conversations: interaction.client(ConversationServiceService),
    webhooks: webhook.client(WebhookServiceService),
    deliveries: webhook.client(DeliveryServiceService),
    /** Returns which of the services are unavailable. */
    unready: async (names: readonly PeerName[]): Promise<PeerName[]> => {
      const serving = await Promise.all(names.map((name) => all[name].isServing()));
      return names.filter((_, index) => !serving[index]);
    },
    [Symbol.dispose]: () => {
      for (const peer of Object.values(all)) peer[Symbol.dispose]();
    },
  };
}
