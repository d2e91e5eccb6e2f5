import { randomUUID } from 'node:crypto';
import { interactionCompleted } from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { createEventLog, type LogTables, newEvent } from '@parley/events/log';
import { eventLogHandlers } from '@parley/events/log-service';
import { openBroker } from '@parley/events/nats';
import { startRelay } from '@parley/events/relay';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createPartitionFunctions } from '@parley/postgres/schema/partitions';
import { serve, service } from '@parley/rpc/serve';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { partialService } from '@parley/testing/peers/partial-service';
import type { Kysely } from 'kysely';
import { startOwnPostgres } from '@parley/testing/servers/own-postgres';
import type { Completion } from './contents.ts';

// Replaces the interaction service: it publishes events by log and relay, and returns their bodies. A completion takes
// its real path from the commit on.

const logger = createLogger('bench', 'silent');
const daysKept = 30;

/** Serves events and their bodies, as the interaction service does. Has its own Postgres. */
export interface Interactions extends AsyncDisposable {
  address: string;
  token: string;
  /** The database of the event log. */
  db: Kysely<LogTables>;
  /** By the id of the interaction. */
  bodies: Map<string, Buffer>;
}

export async function startInteractions(): Promise<Interactions> {
  await using starting = new AsyncDisposableStack();
  const { url } = starting.use(await startOwnPostgres('bench-interactions', { durable: true }));
  const { db } = starting.use(openDatabase<LogTables>({ url, logger }));
  await createPartitionFunctions(db);
  await createEventLog(db);
  const bodies = new Map<string, Buffer>();
  const token = randomUUID();
  const { address } = starting.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: [
        service(EventLogServiceService, eventLogHandlers(db, daysKept)),
        partialService(InteractionServiceService, {
          listEventBodies: async ({ events }) => ({
            bodies: events.map(({ interactionId }) => ({
              interaction: Buffer.from('{}'),
              result: bodies.get(interactionId) ?? Buffer.of(),
              customerVersion: 0,
              redactedVersion: 0,
              evaluation: {},
            })),
          }),
        }),
      ],
      tokens: { service: token, operator: randomUUID() },
      logger,
      isReady: async () => true,
    }),
  );
  const stack = starting.move();
  return { address, token, db, bodies, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

export interface Sender extends AsyncDisposable {
  /** Commits the completion; the relay publishes its event, which has the id of the interaction. */
  complete(completion: Completion, workspaceId: string): Promise<void>;
}

export async function startSender(
  { db, bodies }: Interactions,
  { natsUrl }: { natsUrl: string },
): Promise<Sender> {
  await using starting = new AsyncDisposableStack();
  const broker = starting.use(await openBroker({ url: natsUrl, logger, streamReplicas: 1 }));
  const relay = starting.use(startRelay({ source: 'interaction', db, broker, logger }));
  const stack = starting.move();
  return {
    complete: async ({ id, body }, workspaceId) => {
      bodies.set(id, Buffer.from(body));
      const message = {
        interactionId: id,
        workspaceId,
        customerId: 'customer-4711',
        completedAt: new Date(),
        botId: '',
      };
      const row = { ...newEvent(interactionCompleted, message), id };
      await db.insertInto('eventLog').values(row).execute();
      relay.wake();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
