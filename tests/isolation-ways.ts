import type { Operation } from '@parley/testing/contract';
import { npsBot } from './sample-bots.ts';

/** What calls name. */
export interface Names {
  workspaceId: string;
  interactionId: string;
  customerId: string;
  botId: string;
  /** Empty where a bot is named by its id. */
  botKey: string;
  webhookId: string;
  deliveryId: string;
  /** Of that delivery. */
  eventId: string;
  recoveryId: string;
  customerToken: string;
  linkToken: string;
}

export interface Entry {
  /** A good body, which may name things. */
  body?: (names: Names) => object;
  /** Parameters of the query and fields of the body by which things are named. */
  names?: (keyof Names)[];
  /** What has to be added to the path to make the call another one. */
  queries?: string[];
  /** Why other workspaces' names are no matter. */
  namesNothing?: true;
}

const message = { clientMessageId: 'm', expectedSeq: 0, stepId: 'score', answer: { value: 1 } };

/** Every operation: one that is not here fails the first test. */
export const entries: Record<string, Entry> = {
  listWorkspaces: { namesNothing: true },
  getWorkspace: {},
  getBranding: {},
  updateBranding: { body: () => ({ displayName: 'Another' }) },
  listInteractions: { names: ['customerId', 'botId'], queries: ['?status=Pending'] },
  createInteraction: {
    body: ({ customerId, botId, botKey }) => ({
      customerId,
      ...(botKey ? { botKey } : { botId }),
      status: 'Pending',
    }),
    names: ['customerId', 'botId', 'botKey'],
  },
  getInteraction: {},
  updateInteraction: { body: () => ({ status: 'Completed' }) },
  listCustomers: {},
  createCustomer: { body: () => ({ id: 'made-by-another', firstName: 'X' }) },
  getCustomer: {},
  updateCustomer: { body: () => ({ firstName: 'X' }) },
  anonymiseCustomer: {},
  createCustomerToken: {},
  listBots: { names: ['botKey'] },
  createBot: { body: () => npsBot as object },
  getBot: {},
  listBotVersions: {},
  publishBotVersion: { body: () => npsBot as object },
  listWebhooks: {},
  createWebhook: {
    body: () => ({ url: 'http://127.0.0.1:1/', secretToken: 'another-token', isActive: false }),
  },
  getWebhook: {},
  updateWebhook: { body: () => ({ isActive: true }) },
  deleteWebhook: {},
  rotateSigningSecret: { body: () => ({ overlapSeconds: 0 }) },
  getWebhookOptions: {},
  updateWebhookOptions: {
    body: () => ({ headers: { 'x-made-by': 'another' }, ordering: 'strict', asymmetricSignature: true }),
  },
  listDeliveries: { names: ['interactionId', 'eventId'], queries: ['?state=skipped&limit=1'] },
  getDelivery: {},
  listAttempts: {},
  retryDelivery: {},
  sendTestEvent: {},
  getWebhookStats: {},
  recoverDeliveries: { body: () => ({ since: '1970-01-01T00:00:00Z' }) },
  getRecovery: {},
  rotateApiKeySecret: {},
  rotateSdkSecret: {},
  getPending: {},
  getConversation: { queries: ['?after=0', '?after=99&wait=1'] },
  startConversation: {},
  postMessage: { body: () => message },
  createSession: { body: ({ customerToken }) => ({ customerToken }), names: ['customerToken'] },
  createLinkSession: { body: ({ linkToken }) => ({ token: linkToken }), names: ['linkToken'] },
  getHealth: { namesNothing: true },
  getReadiness: { namesNothing: true },
  getOpenApi: { namesNothing: true },
};

/** An operation of the API and where it is. */
export type NamedOperation = Operation & { path: string; method: string };

/** What opens it: an API key, a session, or nothing. */
export function accessTo({ security }: Pick<Operation, 'security'>): string | undefined {
  return security.flatMap((one) => Object.keys(one))[0];
}

/** Two calls that must not differ. */
export interface Way {
  foreign: Names;
  unknown: Names;
  query?: (names: Names) => string;
  headers?: Record<string, string>;
}

/** Whose things are asked for, the asking workspace's own, and those of nothing, in the form of theirs. */
interface Sides {
  theirs: Names;
  own: Names;
  never: Names;
  /** ETags of their things, by what names the thing in a path. */
  tags: Record<string, string>;
}

/** All ways by which the operation can name what is another's, each with the same for what never was. */
export function waysOf(
  { path, method, parameters, operationId, security }: NamedOperation,
  { theirs, own, never, tags }: Sides,
): Record<string, Way> {
  const access = accessTo({ security });
  const { names = [], queries = [] } = entries[operationId] ?? {};
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Names);
  const things = inPath.filter((name) => name !== 'workspaceId');
  const tag = tags[things[0] ?? ''];
  const ways: Record<string, Way> = {};
  const add = (name: string, way: Way): void => {
    ways[name] = way;
    for (const query of queries) ways[`${name} ${query}`] = { ...way, query: () => query };
    if (!tag) return;
    ways[`${name} with its tag`] = {
      ...way,
      headers: { [method === 'GET' ? 'if-none-match' : 'if-match']: tag },
    };
  };
  if (access === undefined && inPath.includes('workspaceId')) {
    // A page says to every visitor which workspace it is of; that one exists is no secret.
    const at = theirs.workspaceId;
    add('a token of another', {
      foreign: { ...own, workspaceId: at },
      unknown: { ...never, workspaceId: at },
    });
  } else if (inPath.includes('workspaceId')) {
    add('their workspace', { foreign: theirs, unknown: never });
    add('their workspace, unknown things', {
      foreign: { ...never, workspaceId: theirs.workspaceId },
      unknown: never,
    });
    add('their workspace, own things', {
      foreign: { ...own, workspaceId: theirs.workspaceId },
      unknown: { ...own, workspaceId: never.workspaceId },
    });
  }
  for (const thing of things) {
    add(`their ${thing} in the own workspace`, {
      foreign: { ...own, [thing]: theirs[thing] },
      unknown: { ...own, [thing]: never[thing] },
    });
  }
  for (const name of names) {
    const parameter = name === 'botKey' ? 'key' : name;
    const inQuery = parameters.some((one) => one.in === 'query' && one.name === parameter);
    // A customer's id is the client's own, and every workspace may have it: see the last tests of the walk.
    if (operationId === 'createInteraction' && name === 'customerId') continue;
    // A link is for whoever has it.
    const given =
      name === 'linkToken'
        ? theirs.linkToken.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
        : theirs[name];
    add(`${name} named`, {
      foreign: { ...own, [name]: given },
      unknown: { ...own, [name]: never[name] },
      ...(inQuery && { query: (named: Names) => `?${parameter}=${encodeURIComponent(named[name])}` }),
    });
  }
  return ways;
}
