import { detailOf, perDetail } from '@parley/contracts/customer-details';
import { CustomerAdminServiceService, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityServiceService, type Workspace } from '@parley/contracts/identity/v1/identity';
import type { Retention } from '@parley/contracts/common/v1/common';
import {
  type CountOutdatedResponse,
  type DeleteCustomerInteractionsRequest,
  type DeleteCustomerInteractionsResponse,
  InteractionServiceService,
  type ListOutdatedResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { type Service, serve } from '@parley/rpc/serve';
import { keyring } from '@parley/runtime/config/keyring';
import { connectAsCallers, testGrants } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger as logger } from '@parley/testing/quiet';
import { randomUUID } from 'node:crypto';
import { migrations } from '../src/migrations/index.ts';
import { start } from '../src/service.ts';

const tokens = { service: 'service-token-of-a-test', operator: 'operator-token-of-a-test' };
const listen = { host: '127.0.0.1', port: 0 };

export const call = { requestId: 'test', timeoutMs: 30_000 };
/** The API key of anonymisations. */
export const requestedBy = 'prl_key_3vVQmGdZcKxw9n2TfPq0Xy';
export const anna = {
  ...perDetail((name) => detailOf(name).example),
  firstName: 'Anna',
  lastName: 'Novák',
  email: 'anna@example.com',
};

/** A request for Anna with this id, optionally with an Idempotency-Key. */
export function annaAs(workspaceId: string, id: string, key: string | null = null) {
  const idempotency = key === null ? null : { scope: key, fingerprint: Buffer.from('f') };
  return { workspaceId, id, ...anna, idempotency };
}

/** One page of a run: an interaction that was redacted, and the token of the next page. */
type Redacting = (
  pageToken: string,
  customerVersion: number,
  customerId: string,
) => Promise<{ interactionId: string; next: string }>;

/** The default of `redact`: a single page. */
export const onePage: Redacting = async () => ({ interactionId: randomUUID(), next: '' });

/** The default of `remove`: a single page with one interaction. */
export const oneDeletedPage: Neighbours['remove'] = async () => ({
  interactionIds: [randomUUID()],
  nextPageToken: '',
});

/** The default of `getWorkspace`: every workspace exists. */
export const existingWorkspace = async (id: string): Promise<Workspace> => ({
  id,
  name: 'Shop',
  allowedDomains: [],
});

/** The peers of the service: their behaviour, and their received calls. */
interface Neighbours {
  getWorkspace: (id: string) => Promise<Workspace>;
  /** The workspaces that were checked at identity. */
  askedWorkspaces: string[];
  redact: Redacting;
  /** Pages of a deletion: their interactions, and the token of the next one. */
  remove: (request: DeleteCustomerInteractionsRequest) => Promise<DeleteCustomerInteractionsResponse>;
  /** The interactions whose events were removed with them, by call. */
  removedEvents: string[][];
  /** The outdated interactions of a workspace, and what a sweep asks and deletes. */
  outdated: Outdated;
  /** The calls about interactions, with the interactions whose events were then redacted. */
  asked: { details: string[]; customerVersion: number; ofEvents: string[] }[];
}

/** How the peers answer a sweep. */
interface Outdated {
  /** The pages, by token. */
  pages: Map<string, ListOutdatedResponse>;
  undelivered: string[];
  isBehind: boolean;
  counts: CountOutdatedResponse;
  /** The retentions of calls that count or delete. */
  asked: (Retention | null)[];
  deleted: string[][];
  /** Called before each deletion. */
  beforeDeletion: () => void | Promise<void>;
}

/** The default: nothing is outdated. */
export const nothingOutdated = (): Outdated => ({
  pages: new Map(),
  undelivered: [],
  isBehind: false,
  counts: { completed: 0, ended: 0, draft: 0 },
  asked: [],
  deleted: [],
  beforeDeletion: () => {},
});

function neighbourServices(neighbours: Neighbours): Service[] {
  const identity = partialService(IdentityServiceService, {
    listGrantKeys: async () => ({ keys: testGrants.keys, now: new Date() }),
    getWorkspace: async ({ id }) => {
      neighbours.askedWorkspaces.push(id);
      return neighbours.getWorkspace(id);
    },
  });
  const interaction = partialService(InteractionServiceService, {
    redactCustomer: async ({ customerId, details, customerVersion, pageToken }) => {
      const { interactionId, next } = await neighbours.redact(pageToken, customerVersion, customerId);
      neighbours.asked.push({ details, customerVersion, ofEvents: [] });
      return { interactionIds: [interactionId], nextPageToken: next, interactionsRemoved: 3 };
    },
    deleteCustomerInteractions: (request) => neighbours.remove(request),
    listOutdated: async ({ pageToken }) =>
      neighbours.outdated.pages.get(pageToken) ?? {
        interactionIds: [],
        latestChangeAt: null,
        nextPageToken: '',
      },
    countOutdated: async ({ retention }) => {
      neighbours.outdated.asked.push(retention);
      return neighbours.outdated.counts;
    },
    deleteOutdated: async ({ retention, interactionIds }) => {
      await neighbours.outdated.beforeDeletion();
      neighbours.outdated.asked.push(retention);
      neighbours.outdated.deleted.push(interactionIds);
      return { deleted: interactionIds.length };
    },
  });
  const webhook = partialService(WebhookServiceService, {
    redactEvents: async ({ interactionIds, customerVersion, firstVersion }) => {
      if (firstVersion === undefined || firstVersion === null) {
        neighbours.removedEvents.push(interactionIds);
        return { eventsRemoved: 2 * interactionIds.length };
      }
      const redacted = neighbours.asked.findLast((one) => one.customerVersion === customerVersion);
      redacted?.ofEvents.push(...interactionIds);
      return { eventsRemoved: 1 };
    },
    listUndelivered: async () => {
      const { undelivered: interactionIds, isBehind } = neighbours.outdated;
      return { interactionIds, isBehind };
    },
  });
  return [identity, interaction, webhook];
}

/** The customer service over gRPC and Postgres, with gRPC peers instead of the other services. */
export async function startCustomers() {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase('customer', migrations));
  const neighbours: Neighbours = {
    getWorkspace: existingWorkspace,
    askedWorkspaces: [],
    redact: onePage,
    remove: oneDeletedPage,
    removedEvents: [],
    outdated: nothingOutdated(),
    asked: [],
  };
  const services = neighbourServices(neighbours);
  const neighbour = stack.use(await serve({ listen, services, tokens, logger, isReady: async () => true }));
  const { address } = neighbour;
  const addresses = { identityAddress: address, interactionAddress: address, webhookAddress: address };
  const config = {
    listen,
    databaseUrl: database.url,
    migrationUrl: undefined,
    migrateOnStart: true,
    // A port without a listener: events wait in the log, where tests can read them.
    natsUrl: 'nats://127.0.0.1:1',
    auditRetentionDays: 400,
    eventRetentionDays: 30,
    keys: keyring.parse(`k:${Buffer.alloc(32).toString('base64')}`),
    tokens: { ...tokens, callers: undefined },
    rpcTls: undefined,
    ...addresses,
  };
  const running = stack.use(await start(config, logger));
  const customers: RpcClient<typeof CustomerServiceService> = stack
    .use(connectAsCallers(running.address, { token: tokens.service }))
    .client(CustomerServiceService);
  return {
    customers,
    operator: stack
      .use(connect(running.address, { token: tokens.operator }))
      .client(CustomerAdminServiceService),
    neighbours,
    databaseUrl: database.url,
    adminUrl: database.adminUrl,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export type CustomersUnderTest = Awaited<ReturnType<typeof startCustomers>>;
