import { AuditServiceService } from '@parley/contracts/audit/v1/audit';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { OpenLinkServiceService } from '@parley/contracts/interaction/v1/open_link';
import { alertLimits } from '@parley/deployment/limits';
import { databaseServices, type DatabaseService, type OptionalService } from '@parley/contracts/services';
import { DeliveryServiceService } from '@parley/contracts/webhook/v1/delivery';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { connect, type Peer, type ReplicaState } from '@parley/rpc/connect';
import type { CallOptions, RpcClient, ServiceDefinition } from '@parley/rpc/definition';
import type { RpcTls } from '@parley/rpc/tls';
import { inTime } from '@parley/runtime/scheduling/in-time';
import type { Config } from './config.ts';
import type { Sealed } from './values/personal.ts';

const diskFull = alertLimits.diskFull.metric;

export const peerNames = databaseServices;

export type PeerName = DatabaseService;

type OpenPeers = Record<Exclude<PeerName, OptionalService>, Peer> & Record<OptionalService, Peer | undefined>;

/** The services behind the gateway. */
export type Peers = ReturnType<typeof openPeers>;

/** The clients connect at their first call. Disposing closes the connections. */
export function openPeers(config: Pick<Config, 'addresses' | 'rpcToken'>, tls?: RpcTls) {
  const { addresses } = config;
  const token = (): string => config.rpcToken;
  const open = (peer: PeerName): Peer | undefined => {
    const address = addresses[peer];
    return address === undefined
      ? undefined
      : connect(address, { token, caller: 'gateway', tls: tls?.to(peer) });
  };
  const all = Object.fromEntries(peerNames.map((name) => [name, open(name)])) as OpenPeers;
  const { identity, customer, interaction, webhook, insight } = all;
  const ofEach = (ask: (peer: Peer | undefined) => Promise<boolean>) =>
    Object.fromEntries(peerNames.map((name) => [name, inTime(() => ask(all[name]), false)])) as Record<
      PeerName,
      () => Promise<boolean>
    >;
  const isServing = ofEach(async (peer) => (await peer?.isServing()) ?? false);
  const lackSpace = ofEach(async (peer) => {
    const states = (await peer?.replicaStates([diskFull])) ?? [];
    return states.some(({ state }) => state?.readings.some(({ value }) => value > 0));
  });

  return {
    identity: sealed(identity.client(IdentityServiceService)),
    customers: sealed(customer.client(CustomerServiceService)),
    interactions: sealed(interaction.client(InteractionServiceService)),
    bots: sealed(interaction.client(BotServiceService)),
    openLinks: sealed(interaction.client(OpenLinkServiceService)),
    conversations: sealed(interaction.client(ConversationServiceService)),
    webhooks: sealed(webhook.client(WebhookServiceService)),
    deliveries: sealed(webhook.client(DeliveryServiceService)),
    /** Undefined: the deployment has no insight service. */
    insight: insight && sealed(insight.client(InsightServiceService)),
    /** The audit logs of the services whose data belongs to workspaces. */
    auditLogs: [identity, customer, interaction, webhook].map((peer) =>
      sealed(peer.client(AuditServiceService)),
    ),
    deployed: peerNames.filter((name) => all[name] !== undefined),
    /** Returns which of the services are unavailable, or not part of this deployment, within half a second. */
    unready: async (names: readonly PeerName[]): Promise<PeerName[]> => {
      const serving = await Promise.all(names.map((name) => isServing[name]()));
      return names.filter((_, index) => !serving[index]);
    },
    /** Returns which of the services have a database without space, within half a second. */
    outOfSpace: async (names: readonly PeerName[]): Promise<PeerName[]> => {
      const full = await Promise.all(names.map((name) => lackSpace[name]()));
      return names.filter((_, index) => full[index]);
    },
    /** Returns the state of each replica of the deployed services, with these metrics. */
    replicaStates: async (metrics: readonly string[]): Promise<Map<PeerName, ReplicaState[]>> => {
      const asked = peerNames.map(async (name) => [name, await all[name]?.replicaStates(metrics)] as const);
      const answers = await Promise.all(asked);
      return new Map(answers.flatMap(([name, states]) => (states ? [[name, states]] : [])));
    },
    [Symbol.dispose]: () => {
      for (const peer of Object.values(all)) peer?.[Symbol.dispose]();
    },
  };
}

type SealedClient<Definition extends ServiceDefinition> = {
  [Method in keyof Definition]: RpcClient<Definition>[Method] extends (
    request: infer Request,
    options: CallOptions,
  ) => Promise<infer Answer>
    ? (request: Request, options: CallOptions) => Promise<Sealed<Answer>>
    : never;
};

/** Changes only the types. */
function sealed<Definition extends ServiceDefinition>(
  client: RpcClient<Definition>,
): SealedClient<Definition> {
  return client as unknown as SealedClient<Definition>;
}
