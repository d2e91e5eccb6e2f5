import { noDetails, perDetail } from '@parley/contracts/customer-details';
import { linkTokenChars } from '@parley/contracts/limits';
import type { Grant } from '@parley/contracts/common/v1/grant';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { type Branding, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService, type Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { type Interaction, InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { OpenLinkServiceService } from '@parley/contracts/interaction/v1/open_link';
import { scopeNames } from '@parley/contracts/scopes';
import { type DatabaseService, databaseServices } from '@parley/contracts/services';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { createGrantVerifier, sessionGrantSeconds } from '@parley/rpc/grants';
import { type Service, serve } from '@parley/rpc/serve';
import { AppError, notFound, preconditionFailed } from '@parley/runtime/errors';
import { testGrants } from '@parley/testing/peers/callers';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger } from '@parley/testing/quiet';
import type { Running } from '@parley/runtime/run';
import { v7 as uuidv7 } from 'uuid';
import { botVersion, replays, versionWithDefinition } from './bot-version.ts';
import { fakeDeliveries } from './deliveries.ts';
import { exportedPage } from './export.ts';
import { auditEvent, fakeAudit } from './audit.ts';
import { fakeInsight } from './insight.ts';
import { fakeKeys } from './keys.ts';
import { fakeMembers } from './members.ts';
import { fakeOpenLinks } from './open-links.ts';
import { fakePortalLinks } from './portal-links.ts';

/** The workspace, key, customer and other objects of the services behind the gateway. */
export const known = {
  workspaceId: uuidv7(),
  otherWorkspaceId: uuidv7(),
  foreignWorkspaceId: uuidv7(),
  apiKey: 'prl_key_0123456789012345678901',
  otherApiKey: 'prl_key_0123456789012345678902',
  apiSecret: 'prl_sec_right000000000000000000000000000000000000000ZCYkw',
  wrongApiSecret: 'prl_sec_wrong000000000000000000000000000000000000000gg3YZ',
  customerId: 'ada/1',
  interactionId: uuidv7(),
  botId: uuidv7(),
  webhookId: uuidv7(),
  memberId: uuidv7(),
  portalLinkId: uuidv7(),
  erasureId: uuidv7(),
  openLinkId: uuidv7(),
  openLinkToken: 'Open123'.padEnd(linkTokenChars.min, 'x'),
  linkToken: 'Link123'.padEnd(linkTokenChars.min, 'x'),
  draftLinkToken: 'Draft123'.padEnd(linkTokenChars.min, 'x'),
  customerToken: 'customer.token',
  otherCustomerToken: 'customer.token.2',
  allowedDomain: 'https://shop.example/',
};

/** Of links that have been renewed often: their versions have two to six characters. */
export const longLinkTokens = [46, 47, 48, 49, 50].map((length) => `Link${length}`.padEnd(length, 'x'));

/** The received requests of the services, newest last, by method. */
export type Seen = { method: string; request: unknown }[];

/** The controls of a test over the services. */
export interface FakeServices extends AsyncDisposable {
  addresses: Record<DatabaseService, string>;
  seen: Seen;
  /** Called before an answer, by method name: throws, or delays the answer. */
  before: Map<string, (signal: AbortSignal) => Promise<void> | void>;
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
  stop(name: DatabaseService): Promise<void>;
}

export const rpcToken = 'service-token';

const granted = [known.workspaceId, known.otherWorkspaceId];
const grantOf = (workspaceIds: string[], holder: Grant['holder']): string =>
  testGrants.issue({ workspaceIds, holder }, sessionGrantSeconds);
const verified = (customerId: string) => ({
  customerId,
  grant: grantOf([known.workspaceId], { $case: 'customerId', value: customerId }),
});

const now = new Date('2026-11-21T09:30:00.123Z');

export const interaction: Interaction = {
  id: known.interactionId,
  status: 'Pending',
  priority: 'High',
  linkToken: known.linkToken,
  expiresAt: null,
  createdAt: now,
  customerId: known.customerId,
  type: 'NPS',
  typeLabel: 'Net Promoter Score',
  data: undefined,
  context: [{ key: 'productName', value: 'Tea' }],
  version: 3,
  botId: known.botId,
  startedAt: null,
  completedAt: null,
  updatedAt: now,
  withdrawn: [],
  reminders: [],
};

const contactPolicy = { anyBot: { count: 1, days: 30 }, sameBot: null, version: 3 };

const customer = {
  id: known.customerId,
  ...noDetails,
  firstName: 'Ada',
  email: 'ada@example.com',
  version: 7,
};
const erasure = {
  id: known.erasureId,
  customerId: known.customerId,
  kind: 'anonymisation',
  requestedAt: now,
  completedAt: null,
  removed: { customers: 1, interactions: 12, events: 3 },
  requestedBy: 'prl_key_test',
};
/** What is stored about a conversation beside its transcript. */
const begun = {
  botVersion: 4,
  startedAt: now,
  completedAt: null,
  conversation:
    '{"answers":{"score":9},"customer":{"id":"c","firstName":"","lastName":"","email":""},"locale":"en"}',
};
const webhook = {
  id: known.webhookId,
  url: 'https://x.example/',
  isActive: false,
  event: '',
  events: ['InteractionCompleted'],
  version: 2,
};
const bot = { id: known.botId, key: 'nps', name: 'NPS <b>', context: ['productName'], version: 4 };
const draft = {
  botId: known.botId,
  version: 2,
  definition: '{"key":"nps"}',
  baseVersion: 4,
  updatedAt: now,
  updatedBy: 'operator',
  faults: [],
};
const snapshot: Snapshot = {
  status: 'InProgress',
  seq: 2,
  entries: [{ seq: 1, type: 'bot', body: 'Hello', timestamp: 1.5 }],
  inputJson: '{"stepId":"score","type":"nps","required":true,"min":0,"max":10}',
  awaiting: undefined,
  progress: 0.5,
  expiresAt: now,
  botName: bot.name,
};

/** Starts the services behind the gateway with fixed answers. */
export async function startFakeServices(): Promise<FakeServices> {
  const seen: Seen = [];
  const before: FakeServices['before'] = new Map();
  const answer =
    <Request, Response>(method: string, make: (request: Request) => Response) =>
    async (request: Request, context: { signal: AbortSignal }): Promise<Response> => {
      seen.push({ method, request });
      await before.get(method)?.(context.signal);
      return make(request);
    };
  const only = <Row>(isKnown: boolean, row: Row): Row => {
    if (!isKnown) throw notFound();
    return row;
  };
  const current = <Row extends { version: number }>(row: Row, ifVersion: number | null | undefined): Row => {
    if (ifVersion !== undefined && ifVersion !== null && ifVersion !== row.version)
      throw preconditionFailed();
    return { ...row, version: row.version + 1 };
  };
  const workspaceIds = [known.workspaceId, known.otherWorkspaceId, known.foreignWorkspaceId];
  const workspaceOf = (id: string) => ({ id, name: 'Shop', allowedDomains: [known.allowedDomain] });

  const services: Partial<Record<DatabaseService, Service[]>> = {
    identity: [
      fakeAudit([auditEvent]),
      partialService(IdentityServiceService, {
        authenticate: answer('authenticate', ({ apiKey, apiSecret }) => {
          if (![known.apiKey, known.otherApiKey].includes(apiKey) || apiSecret !== known.apiSecret) {
            throw new AppError('unauthenticated', 'invalid-credentials', 'no');
          }
          return {
            apiKey,
            homeWorkspaceId: known.workspaceId,
            workspaceIds: granted,
            version: 1,
            scopes: fake.scopes,
            cacheableMs: fake.cacheableMs,
            grant: grantOf(granted, { $case: 'apiKey', value: apiKey }),
            name: '',
            expiresAt: null,
          };
        }),
        getWorkspace: answer('getWorkspace', ({ id }) => only(workspaceIds.includes(id), workspaceOf(id))),
        batchGetWorkspaces: answer('batchGetWorkspaces', ({ workspaceIds }) => ({
          workspaces: workspaceIds.map(workspaceOf),
        })),
        rotateSecret: answer('rotateSecret', ({ workspaceId }) => {
          if (workspaceId !== known.workspaceId) {
            throw new AppError('permission_denied', 'not-home-workspace', 'no');
          }
          return { secret: 'prl_sec_new' };
        }),
        ...fakeMembers(answer, { workspaceId: known.workspaceId, id: known.memberId }),
        ...fakePortalLinks(answer, { workspaceId: known.workspaceId, id: known.portalLinkId }),
        ...fakeKeys(answer, { apiKey: known.apiKey, workspaceIds }),
        rotateSdkSecret: answer('rotateSdkSecret', () => ({ kid: 'k2', secret: 'sdk' })),
        verifyCustomerToken: answer('verifyCustomerToken', ({ token }) => {
          if (token === known.otherCustomerToken) return verified('bob');
          if (token !== known.customerToken)
            throw new AppError('unauthenticated', 'invalid-customer-token', 'no');
          return verified(known.customerId);
        }),
        beginSignIn: answer('beginSignIn', () => ({
          url: 'https://provider.example/auth',
          attempt: 'sealed',
        })),
        mintCustomerToken: answer('mintCustomerToken', () => ({ customerToken: 'jwt', expiresAt: now })),
        getBranding: answer('getBranding', ({ workspaceId }) =>
          only(workspaceIds.includes(workspaceId), fake.branding),
        ),
        updateWorkspace: answer('updateWorkspace', ({ workspaceId, allowedDomains }) =>
          only(workspaceIds.includes(workspaceId), { id: workspaceId, name: 'Shop', allowedDomains }),
        ),
        updateBranding: answer('updateBranding', ({ ifVersion }) => current(fake.branding, ifVersion)),
        getLogo: answer('getLogo', ({ name }) =>
          only(name === fake.branding.logoName, { content: Buffer.from('logo') }),
        ),
      }),
    ],
    customer: [
      fakeAudit(),
      partialService(CustomerServiceService, {
        getCustomers: answer('getCustomers', ({ ids }) => ({
          customers: ids.includes(known.customerId) ? [customer] : [],
        })),
        createCustomer: answer('createCustomer', ({ id, idempotency, ...given }) => ({
          customer: { id, ...perDetail((name) => given[name]), version: 1 },
          replayed: idempotency !== null,
        })),
        getCustomer: answer('getCustomer', ({ id }) => only(id === known.customerId, customer)),
        listCustomers: answer('listCustomers', () => ({ customers: [customer], total: 41 })),
        updateCustomer: answer('updateCustomer', ({ id, ifVersion }) =>
          current(only(id === known.customerId, customer), ifVersion),
        ),
        anonymiseCustomer: answer('anonymiseCustomer', () => ({
          erasureId: known.erasureId,
          continues: fake.anonymisationContinues,
        })),
        deleteCustomer: answer('deleteCustomer', () => ({
          erasureId: known.erasureId,
          continues: fake.anonymisationContinues,
        })),
        deleteAnonymousCustomers: answer('deleteAnonymousCustomers', () => ({ deleted: 2, hasMore: false })),
        getRetention: answer('getRetention', () => ({ retention: { completedDays: 365 }, version: 1 })),
        updateRetention: answer('updateRetention', ({ ifVersion }) =>
          current({ retention: { completedDays: 365 }, version: 1 }, ifVersion),
        ),
        previewRetention: answer('previewRetention', () => ({ completed: 2, ended: 1, draft: 0 })),
        listErasures: answer('listErasures', () => ({ erasures: [erasure], nextCursor: '' })),
        listErasureKeys: answer('listErasureKeys', () => ({ keys: [{ kid: 'k', x: 'x', createdAt: now }] })),
        getErasure: answer('getErasure', ({ id }) => only(id === known.erasureId, erasure)),
      }),
    ],
    interaction: [
      fakeAudit(),
      partialService(InteractionServiceService, {
        createInteraction: answer('createInteraction', () => ({ interaction, replayed: false })),
        createInteractions: answer('createInteractions', ({ interactions }) => ({
          results: interactions.map(() => ({ interaction })),
          replayed: false,
        })),
        getInteraction: answer('getInteraction', ({ id }) => only(id === known.interactionId, interaction)),
        listInteractions: answer('listInteractions', (request) => ({
          ...pageOf(fake.history, request),
          total: fake.history.length,
        })),
        listCustomerInteractions: answer('listCustomerInteractions', (request) =>
          pageOf(fake.history, request),
        ),
        exportCustomer: answer('exportCustomer', ({ after }) => {
          const { interactions: rows, ...part } = pageOf(fake.history, { after });
          const interactions = rows.map((interaction) => ({ interaction, botKey: 'nps', ...begun }));
          return { interactions, ...part };
        }),
        listNonPersonalNames: answer('listNonPersonalNames', ({ interactionIds }) => ({
          interactions: interactionIds.map((interactionId) => ({
            interactionId,
            evaluation: ['nps_score'],
            context: [],
            transcript: [1, 0],
          })),
          texts: ['Hi [hidden]'],
        })),
        updateInteraction: answer('updateInteraction', ({ ifVersion }) => current(interaction, ifVersion)),
        exportInteractions: answer('exportInteractions', (request) => exportedPage(fake, request)),
        getContactPolicy: answer('getContactPolicy', () => contactPolicy),
        updateContactPolicy: answer('updateContactPolicy', ({ ifVersion }) =>
          current(contactPolicy, ifVersion),
        ),
        getContactability: answer('getContactability', () => ({
          allowed: true,
          retryAt: null,
          policy: contactPolicy,
        })),
        deleteTestInteractions: answer('deleteTestInteractions', () => ({ deleted: 0, hasMore: false })),
        deleteInteraction: answer('deleteInteraction', ({ ifVersion }) => {
          current(interaction, ifVersion);
          return {};
        }),
      }),
      partialService(BotServiceService, {
        createBot: answer('createBot', () => ({ bot, replayed: false })),
        publishBotVersion: answer('publishBotVersion', () => ({ bot, replayed: false })),
        getBot: answer('getBot', ({ id }) => only(id === known.botId, bot)),
        listBots: answer('listBots', () => ({ bots: [bot] })),
        getBotDraft: answer('getBotDraft', () => draft),
        saveBotDraft: answer('saveBotDraft', () => draft),
        listBotDrafts: answer('listBotDrafts', () => ({ drafts: [{ ...draft, definition: '' }] })),
        renewPresence: answer('renewPresence', () => ({ presences: [] })),
        endPresence: answer('endPresence', () => ({})),
        listBotVersions: answer('listBotVersions', () => ({ versions: [botVersion] })),
        listEvaluationKeys: answer('listEvaluationKeys', () => ({
          keys: ['nps_score', 'why', 'status'],
          columns: [],
        })),
        replayConversations: answer('replayConversations', () => replays),
        listPersonalKeys: answer('listPersonalKeys', ({ keys }) => ({
          keys: keys.filter((name) => name !== 'nps_score'),
        })),
        getBotVersion: answer('getBotVersion', ({ version }) => only(version === 4, versionWithDefinition)),
      }),
      partialService(OpenLinkServiceService, fakeOpenLinks(answer, known)),
      partialService(ConversationServiceService, {
        openLink: answer('openLink', ({ token }) =>
          only([known.linkToken, known.draftLinkToken, ...longLinkTokens].includes(token), {
            workspaceId: known.workspaceId,
            interactionId: known.interactionId,
            linkVersion: 1,
            status: token === known.draftLinkToken ? ('Draft' as const) : ('Pending' as const),
            botName: bot.name,
            unavailable: token === known.draftLinkToken,
            grant: grantOf([known.workspaceId], { $case: 'link', value: `${known.interactionId}.1` }),
          }),
        ),
        getTime: async () => ({ now: new Date() }),
        getFence: answer('getFence', () => ({ version: 3 })),
        getPending: answer('getPending', () => ({ pending: null })),
        getConversation: answer('getConversation', () => snapshot),
        startConversation: answer('startConversation', () => snapshot),
        previewConversation: answer('previewConversation', () => snapshot),
        previewInteraction: answer('previewInteraction', () => ({ ...snapshot, status: 'Pending' as const })),
        postMessage: answer('postMessage', ({ expectedSeq }) => ({
          snapshot,
          stale: expectedSeq !== snapshot.seq,
        })),
      }),
    ],
    webhook: [
      fakeAudit(),
      partialService(WebhookServiceService, {
        createWebhook: answer('createWebhook', () => ({ webhook, replayed: false })),
        getWebhook: answer('getWebhook', ({ id }) => only(id === known.webhookId, webhook)),
        listWebhooks: answer('listWebhooks', () => ({ webhooks: [webhook] })),
        updateWebhook: answer('updateWebhook', ({ isActive, ifVersion }) =>
          current({ ...webhook, isActive }, ifVersion),
        ),
        deleteWebhook: answer('deleteWebhook', ({ ifVersion }) => {
          current(webhook, ifVersion);
          return {};
        }),
        rotateSigningSecret: answer('rotateSigningSecret', () => ({ signingSecret: 'whsec_x' })),
      }),
      fakeDeliveries(answer, known.webhookId),
    ],
    insight: [fakeInsight(answer, known.botId)],
  };

  const open = async (name: DatabaseService): Promise<Running> =>
    serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: services[name] ?? [],
      tokens: { service: rpcToken, operator: 'operator-token' },
      grants: createGrantVerifier(testGrants),
      logger: quietLogger,
      isReady: async () => true,
    });
  const opened = databaseServices.map(async (name) => [name, await open(name)] as const);
  const running = Object.fromEntries(await Promise.all(opened)) as Record<DatabaseService, Running>;
  const fake: FakeServices = {
    addresses: Object.fromEntries(
      databaseServices.map((name) => [name, running[name].address]),
    ) as FakeServices['addresses'],
    seen,
    before,
    hasUnsettled: false,
    anonymisationContinues: false,
    cacheableMs: 0,
    scopes: [...scopeNames],
    branding: { endLink: null, version: 0 },
    history: [interaction],
    stop: async (name) => running[name][Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Object.values(running).map((one) => one[Symbol.asyncDispose]()));
    },
  };
  return fake;
}

function pageOf(
  history: Interaction[],
  { after, onlyShort }: { after?: string | null; onlyShort?: boolean | null },
) {
  const at = history.findIndex(({ id }) => id === after) + 1;
  const goesOn = at + 1 < history.length;
  if (goesOn && onlyShort) return { interactions: [], isLong: true };
  return {
    interactions: history.slice(at, at + 1),
    nextAfter: goesOn ? history[at]?.id : undefined,
    digest: goesOn ? history.map(({ version }) => version).join() : undefined,
  };
}
