import { randomBytes, randomUUID } from 'node:crypto';
import { interactionCompleted, stream } from '@parley/contracts/events';
import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { DeliveryServiceService } from '@parley/contracts/webhook/v1/delivery';
import { type Webhook, WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { startReconciliation } from '@parley/events/reconciliation';
import { openBroker } from '@parley/events/nats';
import { createOutboxTable, type OutboxTable, outboxRow } from '@parley/events/outbox';
import { startRelay } from '@parley/events/relay';
import { type Database, openDatabase } from '@parley/postgres/open';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { serve } from '@parley/rpc/serve';
import { createDatabase } from '@parley/testing/database';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/nats';
import { partialService } from '@parley/testing/partial-service';
import type { Logger } from '@parley/runtime/logger';
import { quietLogger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { type Config, readConfig } from '../src/config.ts';
import { migrations } from '../src/migrations/index.ts';
import type { Tables } from '../src/schema.ts';
import { start } from '../src/service.ts';

const tokens = { service: 'a service token of a test', operator: 'an operator token of a test' };
/** Every call belongs to a request. */
export const call = { requestId: 'test' };

/** An event with its body from the interaction service. */
export type Completed = InteractionCompleted & { body: Buffer };

/** Returns a completed interaction, by default of its own workspace. */
export function completed(of: Partial<Completed> = {}): Completed {
  const interactionId = randomUUID();
  const content = { customer_id: 'c-1', interaction_id: interactionId, evaluation: {}, transcript: [] };
  return {
    interactionId,
    workspaceId: randomUUID(),
    customerId: 'c-1',
    body: Buffer.from(JSON.stringify(content)),
    completedAt: null,
    ...of,
  };
}

type Client = RpcClient<WebhookServiceService>;
type DeliveryClient = RpcClient<DeliveryServiceService>;

/** The webhook service with its own broker and database, with one replica at first. */
export interface System extends AsyncDisposable {
  /** Calls the newest replica. */
  readonly client: Client;
  readonly deliveries: DeliveryClient;
  nats: PrivateNats;
  db: Kysely<Tables>;
  /** The superuser's URL of the service's database. */
  adminUrl: string;
  /** The environment of a process of the service. */
  env: NodeJS.ProcessEnv;
  /** How many replicas run. */
  readonly running: number;
  /** Starts one more replica. */
  startReplica(): Promise<void>;
  /** Stops the oldest running replica. */
  stopFirst(): Promise<void>;
  /** Commits events to the sender's outbox, whose relay sends them; sends earlier ones once more. */
  raise(events: Completed[], traceparent?: string): Promise<void>;
  /** Waits until the broker holds this many events. */
  onTheBus(events: number): Promise<void>;
  /** Runs the sender's reconciliation at once, without its grace. */
  reconcile(): Promise<void>;
  /** Waits until the service holds the events. */
  taken(events: Completed[]): Promise<void>;
  createWebhook(webhook: {
    workspaceId: string;
    url: string;
    isActive?: boolean;
    secretToken?: string;
  }): Promise<Webhook>;
}

/** Starts the service in this process. Retries follow after a twentieth of a second by default. */
export async function startSystem(
  overrides: Partial<Config> = {},
  logger: Logger = quietLogger,
): Promise<System> {
  await using starting = new AsyncDisposableStack();
  const [nats, database] = await Promise.all([startPrivateNats(), createDatabase('webhook', migrations)]);
  starting.use(nats);
  starting.use(database);
  const interactions = starting.use(await startInteractions());
  const env = {
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    INTERACTION_ADDRESS: interactions.address,
    RPC_TOKEN: tokens.service,
    OPERATOR_TOKEN: tokens.operator,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0.05,0.05,0.05',
  };
  const { db }: Database<Tables> = starting.use(
    openDatabase<Tables>({ url: database.testUrl, logger, connectionsMax: 4 }),
  );

  const replicas: (AsyncDisposable & { client: Client; deliveries: DeliveryClient })[] = [];
  starting.defer(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
  });
  const startReplica = async (): Promise<void> => {
    const service = await start({ ...readConfig(env), ...overrides }, logger);
    const peer = connect(service.address, { token: tokens.service });
    const stop = async (): Promise<void> => {
      peer[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
    };
    replicas.push({
      client: peer.client(WebhookServiceService),
      deliveries: peer.client(DeliveryServiceService),
      [Symbol.asyncDispose]: stop,
    });
  };
  const latestReplica = () => {
    const replica = replicas.at(-1);
    if (!replica) throw new Error('no replica of the service runs');
    return replica;
  };
  const latest = (): Client => latestReplica().client;
  await startReplica();
  const sender = starting.use(await startSender(db.withTables<SenderTables>(), nats.url, latest));
  const raise: System['raise'] = async (events, traceparent) => {
    for (const { interactionId, body } of events) interactions.bodies.set(interactionId, body);
    await sender.raise(events, traceparent);
  };

  const stack = starting.move();
  return {
    get client() {
      return latest();
    },
    get deliveries() {
      return latestReplica().deliveries;
    },
    nats,
    db,
    adminUrl: database.adminUrl,
    env,
    get running() {
      return replicas.length;
    },
    startReplica,
    stopFirst: async () => replicas.shift()?.[Symbol.asyncDispose](),
    raise,
    onTheBus: sender.onTheBus,
    reconcile: sender.reconcile,
    taken: async (events) => {
      const eventIds = events.map((event) => event.interactionId);
      await eventually(async () => {
        const missing = await latest().listMissingEvents({ eventIds }, call);
        if (missing.eventIds.length > 0) throw new Error(`${missing.eventIds.length} events are missing`);
      });
    },
    createWebhook: async ({ workspaceId, url, isActive = true, secretToken = randomUUID() }) => {
      const request = { workspaceId, url, secretToken, isActive, idempotency: null };
      const { webhook } = await latest().createWebhook(request, call);
      if (!webhook) throw new Error('no webhook came back');
      return webhook;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The part of the interaction service that this service uses: it has `bodies`, and returns two at a time. */
async function startInteractions() {
  const bodies = new Map<string, Buffer>();
  const running = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [
      partialService(InteractionServiceService, {
        listCompletionBodies: async ({ completions }) => ({
          bodies: completions
            .slice(0, 2)
            .map(({ interactionId }) => bodies.get(interactionId) ?? Buffer.of()),
        }),
      }),
    ],
    tokens,
    logger: quietLogger,
    isReady: async () => true,
  });
  return { ...running, bodies };
}

type SenderTables = { outbox: OutboxTable };

/** The sending side: an outbox beside the tables of the service, its relay, and the reconciliation. */
async function startSender(db: Kysely<Tables & SenderTables>, natsUrl: string, receiver: () => Client) {
  await using starting = new AsyncDisposableStack();
  await createOutboxTable(db);
  const broker = starting.use(await openBroker({ url: natsUrl, logger: quietLogger }));
  const relay = starting.use(startRelay({ db, broker, logger: quietLogger }));
  const findMissing = async (eventIds: string[]): Promise<string[]> =>
    (await receiver().listMissingEvents({ eventIds }, call)).eventIds;
  const { subject } = interactionCompleted;
  const reconciliation = starting.use(
    startReconciliation({ db, broker, logger: quietLogger, subject, findMissing }),
  );
  const stack = starting.move();
  return {
    raise: async (events: readonly InteractionCompleted[], traceparent?: string): Promise<void> => {
      const rows = events.map((event) => {
        // An event is raised now, whatever time its test has set.
        const message = { ...event, completedAt: event.completedAt ?? new Date() };
        const { interactionId: id, workspaceId } = message;
        const row = outboxRow(interactionCompleted, { id, workspaceId, message });
        return {
          ...row,
          traceparent: traceparent ?? null,
          createdAt: message.completedAt,
          publishedAt: null,
        };
      });
      await db
        .insertInto('outbox')
        .values(rows)
        .onConflict((conflict) => conflict.column('eventId').doUpdateSet({ publishedAt: null }))
        .execute();
      relay.wake();
    },
    onTheBus: (events: number): Promise<void> =>
      eventually(async () => {
        const { manager } = await broker.streams();
        const { state } = await manager.streams.info(stream.name);
        if (state.messages !== events) throw new Error(`the broker holds ${state.messages} events`);
      }),
    reconcile: async (): Promise<void> => {
      await sql`update outbox set published_at = now() - interval '1 minute'`.execute(db);
      reconciliation.wake();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
