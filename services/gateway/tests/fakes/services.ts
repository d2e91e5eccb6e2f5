import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { type Branding, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import { type Interaction, InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { OpenLinkServiceService } from '@parley/contracts/interaction/v1/open_link';
import { scopeNames } from '@parley/contracts/scopes';
import { type DatabaseService, databaseServices } from '@parley/contracts/services';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { createGrantVerifier } from '@parley/rpc/grants';
import { type Service, serve } from '@parley/rpc/serve';
import type { Running } from '@parley/runtime/run';
import { testGrants } from '@parley/testing/peers/callers';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger } from '@parley/testing/quiet';
import type { Answer } from './answers.ts';
import { auditEvent, fakeAudit } from './audit.ts';
import { fakeBots } from './bots.ts';
import { fakeConversations } from './conversations.ts';
import { fakeCustomers } from './customers.ts';
import { fakeDeliveries } from './deliveries.ts';
import { fakeIdentity } from './identity.ts';
import { fakeInsight } from './insight.ts';
import { fakeInteractions, interaction } from './interactions.ts';
import { fakeKeys } from './keys.ts';
import { known, workspaceIds } from './known.ts';
import { fakeMembers } from './members.ts';
import { fakeOpenLinks } from './open-links.ts';
import { fakePortalLinks } from './portal-links.ts';
import { fakeWebhooks } from './webhooks.ts';

/** The received requests of the services, newest last, by method. */
export type Seen = { method: string; request: unknown }[];

/** What a test sets of the answers. */
interface Controls {
  /** The cache lifetime of valid credentials; 0 at first. */
  cacheableMs: number;
  /** The scopes of valid credentials; all at first. */
  scopes: string[];
  /** The allowed domains of every workspace; none at first. */
  branding: Branding;
  /** The interactions of the customer. Lists return one at a time. */
  history: Interaction[];
  /** Whether exports leave out a change at first. */
  hasUnsettled: boolean;
  /** Whether anonymisations take longer than a call waits. */
  anonymisationContinues: boolean;
}

/** The controls of a test over the services. */
export interface FakeServices extends Controls, AsyncDisposable {
  addresses: Record<DatabaseService, string>;
  seen: Seen;
  /** Called before an answer, by method name: throws, or delays the answer. */
  before: Map<string, (signal: AbortSignal) => Promise<void> | void>;
  stop(name: DatabaseService): Promise<void>;
}

export const rpcToken = 'service-token';

/** Starts the services behind the gateway with fixed answers. */
export async function startFakeServices(): Promise<FakeServices> {
  const seen: Seen = [];
  const before: FakeServices['before'] = new Map();
  const answer: Answer = (method, make) => async (request, context) => {
    seen.push({ method, request });
    await before.get(method)?.(context.signal);
    return make(request);
  };
  const controls: Controls = {
    hasUnsettled: false,
    anonymisationContinues: false,
    cacheableMs: 0,
    scopes: [...scopeNames],
    branding: { endLink: null, version: 0 },
    history: [interaction],
  };
  const services: Record<DatabaseService, Service[]> = {
    identity: [
      fakeAudit([auditEvent]),
      partialService(IdentityServiceService, {
        ...fakeIdentity(answer, controls),
        ...fakeMembers(answer, { workspaceId: known.workspaceId, id: known.memberId }),
        ...fakePortalLinks(answer, { workspaceId: known.workspaceId, id: known.portalLinkId }),
        ...fakeKeys(answer, { apiKey: known.apiKey, workspaceIds }),
      }),
    ],
    customer: [fakeAudit(), partialService(CustomerServiceService, fakeCustomers(answer, controls))],
    interaction: [
      fakeAudit(),
      partialService(InteractionServiceService, fakeInteractions(answer, controls)),
      partialService(BotServiceService, fakeBots(answer)),
      partialService(OpenLinkServiceService, fakeOpenLinks(answer, known)),
      partialService(ConversationServiceService, fakeConversations(answer)),
    ],
    webhook: [
      fakeAudit(),
      partialService(WebhookServiceService, fakeWebhooks(answer)),
      fakeDeliveries(answer, known.webhookId),
    ],
    insight: [fakeInsight(answer, known.botId)],
  };

  const open = async (name: DatabaseService): Promise<Running> =>
    serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: services[name],
      tokens: { service: rpcToken, operator: 'operator-token' },
      grants: createGrantVerifier(testGrants),
      logger: quietLogger,
      isReady: async () => true,
    });
  const opened = databaseServices.map(async (name) => [name, await open(name)] as const);
  const running = Object.fromEntries(await Promise.all(opened)) as Record<DatabaseService, Running>;
  return Object.assign(controls, {
    addresses: Object.fromEntries(
      databaseServices.map((name) => [name, running[name].address]),
    ) as FakeServices['addresses'],
    seen,
    before,
    stop: async (name: DatabaseService) => running[name][Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Object.values(running).map((one) => one[Symbol.asyncDispose]()));
    },
  });
}
