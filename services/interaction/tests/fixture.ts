import { randomBytes } from 'node:crypto';
import { interactionCompleted, interactionExpired } from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import { OpenLinkServiceService } from '@parley/contracts/interaction/v1/open_link';
import { FactsServiceService } from '@parley/contracts/interaction/v1/facts';
import {
  type ContextEntry,
  type CreateInteractionRequest,
  type Interaction,
  InteractionServiceService,
  type UpdateInteractionRequest,
} from '@parley/contracts/interaction/v1/interaction';
import { openDatabase } from '@parley/postgres/connecting/open';
import { connectAsCallers } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { openSqlConnection } from '@parley/testing/database/sql';
import { quietLogger } from '@parley/testing/quiet';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../src/config.ts';
import { migrations } from '../src/migrations/index.ts';
import type { Tables } from '../src/schema.ts';
import { start } from '../src/service.ts';
import { startCustomers } from './customers.ts';

const tokens = { service: 'a-token-of-our-services', operator: 'a-token-of-the-operator' };
/** A port without a listener. */
const nowhere = '127.0.0.1:1';

export const call = { requestId: 'a-test', timeoutMs: 30_000 };

/**
 * The interaction service over gRPC and Postgres, with a gRPC peer instead of the customer service. `adminUrl` leads to
 * the test's own Postgres.
 */
export async function startInteractions({
  natsUrl = `nats://${nowhere}`,
  env = {},
  adminUrl,
}: {
  natsUrl?: string;
  env?: NodeJS.ProcessEnv;
  adminUrl?: string;
} = {}) {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase('interaction', migrations, adminUrl));
  const customers = stack.use(await startCustomers(tokens));
  const variables = {
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database.url,
    RPC_TOKEN: tokens.service,
    OPERATOR_TOKEN: tokens.operator,
    IDENTITY_ADDRESS: customers.address,
    CUSTOMER_ADDRESS: customers.address,
    NATS_URL: natsUrl,
    LANDING_URL: 'https://talk.example',
    LINK_KEYS: `one:${randomBytes(32).toString('base64')}`,
    ...env,
  };
  /** One more process of the service on the same database. */
  const startReplica = async (more: NodeJS.ProcessEnv = {}) => {
    const running = await start(readConfig({ ...variables, ...more }), quietLogger);
    const client = connectAsCallers(running.address, { token: tokens.service });
    return {
      bots: client.client(BotServiceService),
      log: client.client(EventLogServiceService),
      interactions: client.client(InteractionServiceService),
      conversations: client.client(ConversationServiceService),
      openLinks: client.client(OpenLinkServiceService),
      facts: client.client(FactsServiceService),
      [Symbol.asyncDispose]: async () => {
        await running[Symbol.asyncDispose]();
        client[Symbol.dispose]();
      },
    };
  };
  const replica = stack.use(await startReplica());
  const { db } = stack.use(
    openDatabase<Tables>({ url: database.testUrl, logger: quietLogger, connectionsMax: 3 }),
  );
  const { people, ensured, keptBack } = customers;
  return {
    ...replica,
    startReplica,
    db,
    adminUrl: database.adminUrl,
    people,
    ensured,
    keptBack,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export type Interactions = Awaited<ReturnType<typeof startInteractions>>;

/** Changes thousands of rows in one statement, without the time limit of a service: a busy machine may exceed it. */
export async function changeMany(
  { db, adminUrl }: Pick<Interactions, 'db' | 'adminUrl'>,
  statement: RawBuilder<unknown>,
): Promise<void> {
  await using session = await openSqlConnection(adminUrl);
  await session.query('set search_path = interaction');
  const { sql: text, parameters } = statement.compile(db);
  await session.query(text, [...parameters]);
}

/** A request to create an interaction, without the fields that all of them share. */
export type Creation = Partial<Omit<CreateInteractionRequest, 'workspaceId' | 'context'>> & {
  context?: Record<string, string>;
};

/** A workspace for one test, with the calls of tests. */
export function workspaceOf({ bots, interactions, db }: Interactions, workspaceId = uuidv7()) {
  const creation = ({ context = {}, ...fields }: Creation): CreateInteractionRequest => ({
    workspaceId,
    customerId: 'ada',
    botId: '',
    status: 'STATUS_UNSPECIFIED',
    priority: 'PRIORITY_UNSPECIFIED',
    context: Object.entries(context).map(([key, value]): ContextEntry => ({ key, value })),
    idempotency: null,
    ...fields,
  });
  return {
    workspaceId,
    publish: async (definition: unknown): Promise<string> => {
      const request = { workspaceId, definition: JSON.stringify(definition), idempotency: null };
      return (await bots.createBot(request, call)).bot?.id ?? '';
    },
    tryCreate: (fields: Creation) => interactions.createInteraction(creation(fields), call),
    createAll: async (items: Creation[], idempotency: CreateInteractionRequest['idempotency'] = null) => {
      const all = items.map((fields) => creation(fields));
      return interactions.createInteractions({ workspaceId, interactions: all, idempotency }, call);
    },
    create: async (fields: Creation): Promise<Interaction> => {
      const { interaction } = await interactions.createInteraction(creation(fields), call);
      if (!interaction) throw new Error('no interaction was made');
      return interaction;
    },
    get: (id: string) => interactions.getInteraction({ workspaceId, id }, call),
    update: (id: string, change: Omit<UpdateInteractionRequest, 'workspaceId' | 'id'>) =>
      interactions.updateInteraction({ workspaceId, id, ...change }, call),
    list: (
      request: { page?: number; pageSize?: number; after?: string; onlyShort?: boolean } & Filters = {},
    ) => {
      const { page = 1, pageSize = 20, ...filters } = request;
      return interactions.listInteractions(
        { workspaceId, page: { page, pageSize }, evaluation: [], ...filters },
        call,
      );
    },
    completions: async (interactionId?: string) => {
      const rows = await eventsOf(db, workspaceId, interactionId);
      return rows.filter(({ type }) => type === interactionCompleted.subject);
    },
    /** The events in the order in which they were raised, such as `created` and `expired by clock`. */
    raised: async (interactionId?: string): Promise<string[]> => {
      const rows = await eventsOf(db, workspaceId, interactionId);
      return rows.map(({ type, payload }) => {
        const name = type.split('.')[2] ?? '';
        const { subject, message } = interactionExpired;
        return type === subject ? `${name} by ${message.decode(payload).reason}` : name;
      });
    },
  };
}

async function eventsOf(db: Interactions['db'], workspaceId: string, interactionId?: string) {
  const rows = await db
    .selectFrom('eventLog')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('id')
    .execute();
  return rows.filter(({ about }) => interactionId === undefined || about === interactionId);
}

/** The further fields of an answer with the whole list. */
export const nothingMore = { nextAfter: null, digest: null, isLong: null };

interface Filters {
  status?: Interaction['status'];
  priority?: Interaction['priority'];
  customerId?: string;
  botId?: string;
  botKey?: string;
  createdFrom?: Date;
  createdTo?: Date;
  updatedFrom?: Date;
  completedFrom?: Date;
  completedTo?: Date;
  evaluation?: string[];
  stoppedAt?: string;
  botVersion?: number;
}

export type Workspace = ReturnType<typeof workspaceOf>;

/** A key as the gateway sends it. */
export function idempotencyKey(body: string, scope = uuidv7()) {
  return { scope, fingerprint: Buffer.from(body.padEnd(32, '.')) };
}

/** Every row of every table of the service's schema, as text, bytes read as UTF-8. */
export async function dumpOf({ db }: Interactions): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(
    db,
  );
  const texts = tables.rows.map(async ({ name }) => {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
      db,
    );
    const readable = (_: string, hex: string): string => Buffer.from(hex, 'hex').toString();
    return rows.map((row) => `${name}: ${row.text.replaceAll(/\\+x((?:[0-9a-f]{2})+)/g, readable)}`);
  });
  return (await Promise.all(texts)).flat();
}
