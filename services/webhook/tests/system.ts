import { randomBytes, randomUUID } from 'node:crypto';
import { interactionCompleted, stream } from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { DeliveryServiceService } from '@parley/contracts/webhook/v1/delivery';
import { type Webhook, WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { createEventLog, type LogTables, type NewEvent, newEvent } from '@parley/events/log';
import { eventLogHandlers } from '@parley/events/log-service';
import { openBroker } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { keepStream } from '@parley/events/stream-upkeep';
import { type Database, openDatabase } from '@parley/postgres/connecting/open';
import { createPartitionFunctions } from '@parley/postgres/schema/partitions';
import type { RpcClient } from '@parley/rpc/definition';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { serve, service } from '@parley/rpc/serve';
import { connectAsCallers, grantKeysService } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/servers/nats';
import { partialService } from '@parley/testing/peers/partial-service';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { quietLogger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type Config, readConfig } from '../src/config.ts';
import { migrations } from '../src/migrations/index.ts';
import type { Tables } from '../src/schema.ts';
import { start } from '../src/service.ts';

const tokens = { service: 'a service token of a test', operator: 'an operator token of a test' };
export const call = { requestId: 'test', timeoutMs: 30_000 };

/** An event about a completed interaction, with the body that the interaction service returns. */
export interface Completed {
  id: string;
  workspaceId: string;
  interactionId: string;
  customerId: string;
  body: Buffer;
  /** By default when `raise` is called. */
  raisedAt?: Date;
}

/** Returns an event, by default of its own workspace. */
export function completed(of: Partial<Completed> = {}): Completed {
  const interactionId = randomUUID();
  const content = { customer_id: 'c-1', interaction_id: interactionId, evaluation: {}, transcript: [] };
  return {
    id: uuidv7(),
    interactionId,
    workspaceId: randomUUID(),
    customerId: 'c-1',
    body: Buffer.from(JSON.stringify(content)),
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
  readonly running: number;
  startReplica(): Promise<void>;
  /** Stops the oldest running replica. */
  stopFirst(): Promise<void>;
  /** What the interaction service returns about interactions. */
  interactions: Interactions;
  /** Commits events to the log of the sender, whose relay publishes them; publishes earlier ones once more. */
  raise(events: Completed[], traceparent?: string): Promise<void>;
  /** Raises events of any kind, by default now. */
  raiseAny(events: (NewEvent & { raisedAt?: Date })[]): Promise<void>;
  /** Makes the log and activations a minute older, so that the catch-up does not wait for the stream. */
  age(): Promise<void>;
  /** Waits until the stream has this event. */
  onTheBus(event: Completed): Promise<void>;
  /** Waits until the service has taken the events. */
  taken(events: readonly { id: string }[]): Promise<void>;
  createWebhook(webhook: {
    workspaceId: string;
    url: string;
    isActive?: boolean;
    secretToken?: string;
    events?: string[];
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
  const { db }: Database<Tables> = starting.use(
    openDatabase<Tables>({ url: database.testUrl, logger, connectionsMax: 4 }),
  );
  const sender = starting.use(await startSender(db, nats.url));
  const env = {
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    IDENTITY_ADDRESS: sender.address,
    CUSTOMER_ADDRESS: '127.0.0.1:9',
    INTERACTION_ADDRESS: sender.address,
    RPC_TOKEN: tokens.service,
    OPERATOR_TOKEN: tokens.operator,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0.05,0.05,0.05',
  };

  const replicas: (AsyncDisposable & { client: Client; deliveries: DeliveryClient })[] = [];
  starting.defer(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
  });
  const startReplica = async (): Promise<void> => {
    const service = await start({ ...readConfig(env), ...overrides }, logger);
    const peer = connectAsCallers(service.address, { token: tokens.service });
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
  await sender.subscribed();

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
    interactions: sender.interactions,
    raise: sender.raise,
    raiseAny: sender.raiseAny,
    age: sender.age,
    onTheBus: sender.onTheBus,
    taken: (events) =>
      eventually(async () => {
        const { rows } = await sql`
          ${acrossWorkspaces('the inbox has no workspaces')}
          select from handled_event where durable = 'webhook' and event_id = any(${events.map(({ id }) => id)}::uuid[])`.execute(
          db,
        );
        const missing = events.length - rows.length;
        if (missing > 0) throw new Error(`${missing} events were not taken`);
      }),
    createWebhook: async ({ secretToken = randomUUID(), isActive = true, events = [], ...rest }) => {
      const request = { ...rest, secretToken, isActive, events, idempotency: null };
      const { webhook } = await latest().createWebhook(request, call);
      if (!webhook) throw new Error('no webhook came back');
      return webhook;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** What the interaction service returns about an interaction. */
interface Bodies {
  /** The history of a completion. */
  body: Buffer;
  customerVersion: number;
  /** By default without fields. */
  interaction?: object;
  evaluation?: Record<string, string>;
}

/** The bodies of the interaction service. */
export interface Interactions {
  /** By the id of the interaction. Without one, `raise` adds the body of its event. */
  bodies: Map<string, Bodies>;
  /** Called before each answer with the ids of its interactions. */
  onAnswer: (interactionIds: readonly string[]) => void | Promise<void>;
}

/** The sender of events: its log, its relay, and bodies, two in each answer. */
async function startSender(receiver: Kysely<Tables>, natsUrl: string) {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createDatabase('interaction'));
  const { db } = starting.use(
    openDatabase<LogTables>({ url: database.testUrl, logger: quietLogger, connectionsMax: 3 }),
  );
  await createPartitionFunctions(db);
  await createEventLog(db);
  // Events that a test makes older may be of yesterday.
  await sql`select make_partition('event_log', (now() at time zone 'utc')::date - 1)`.execute(db);
  const interactions: Interactions = { bodies: new Map(), onAnswer: () => {} };
  const { address } = starting.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: [
        grantKeysService(),
        service(EventLogServiceService, eventLogHandlers(db, 30)),
        partialService(InteractionServiceService, {
          listEventBodies: async ({ events }) => {
            const none: Bodies = { body: Buffer.of(), customerVersion: 0 };
            const answered = events.slice(0, 2);
            const bodies = answered.map(({ interactionId, status }) => {
              const found = interactions.bodies.get(interactionId) ?? none;
              const { body, customerVersion, interaction = {}, evaluation = {} } = found;
              return {
                interaction: body.length > 0 ? Buffer.from(JSON.stringify(interaction)) : Buffer.of(),
                result: status === 'Completed' ? body : Buffer.of(),
                customerVersion,
                redactedVersion: customerVersion,
                evaluation,
              };
            });
            await interactions.onAnswer(answered.map(({ interactionId }) => interactionId));
            return { bodies };
          },
        }),
      ],
      tokens,
      logger: quietLogger,
      isReady: async () => true,
    }),
  );
  const broker = starting.use(await openBroker({ url: natsUrl, logger: quietLogger, streamReplicas: 1 }));
  starting.use(keepStream({ broker, replicas: 1, logger: quietLogger }));
  const relay = starting.use(startRelay({ source: 'interaction', db, broker, logger: quietLogger }));
  const streams = () => eventually(() => broker.streams());
  const raiseAny: System['raiseAny'] = async (events) => {
    const rows = events.map(({ raisedAt = new Date(), ...event }) => ({ ...event, raisedAt }));
    await db.insertInto('eventLog').values(rows).execute();
    relay.wake();
  };
  const stack = starting.move();
  return {
    address,
    interactions,
    /** Waits until the service receives what is published. */
    subscribed: (): Promise<unknown> =>
      eventually(async () => (await streams()).manager.consumers.info(stream.name, 'webhook')),
    raise: async (events: readonly Completed[], traceparent: string | null = null): Promise<void> => {
      const rows = events.map(({ id, body, raisedAt = new Date(), ...message }) => {
        const { interactionId } = message;
        if (!interactions.bodies.has(interactionId))
          interactions.bodies.set(interactionId, { body, customerVersion: 0 });
        const row = newEvent(interactionCompleted, { ...message, completedAt: raisedAt, botId: '' });
        return { ...row, id, traceparent, raisedAt };
      });
      await raiseAny(rows);
    },
    raiseAny,
    age: async (): Promise<void> => {
      const reason = acrossWorkspaces('a test is about all events');
      await sql`${reason} update event_log set raised_at = raised_at - interval '1 minute'`.execute(db);
      await sql`
        ${reason}
        update webhook set active_since = active_since - interval '1 minute',
          listening_since = listening_since - interval '1 minute'`.execute(receiver);
    },
    onTheBus: ({ id }: Completed): Promise<void> =>
      eventually(async () => {
        const { manager } = await streams();
        const wanted = { last_by_subj: interactionCompleted.subject };
        const message = await manager.streams.getMessage(stream.name, wanted);
        if (message?.header.get('ce-id') !== id)
          throw new Error('the event is not the last one of the stream');
      }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
