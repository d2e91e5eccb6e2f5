import { randomUUID } from 'node:crypto';
import { interactionCompleted } from '@parley/contracts/events';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { openBroker } from '@parley/events/nats';
import { createOutboxTable, outboxRow, type OutboxTable } from '@parley/events/outbox';
import { startRelay } from '@parley/events/relay';
import { openDatabase } from '@parley/postgres/open';
import { databaseUrl } from '@parley/postgres/urls';
import { serve } from '@parley/rpc/serve';
import { createLogger } from '@parley/runtime/logger';
import { partialService } from '@parley/testing/partial-service';
import pg from 'pg';
import type { Completion } from './contents.ts';

// Replaces the interaction service: it publishes events by outbox and relay, and returns their bodies. A completion
// takes its real path from the commit on.

const logger = createLogger('bench', 'silent');

/** Serves the bodies of completions, as the interaction service does. */
export interface Interactions extends AsyncDisposable {
  address: string;
  token: string;
  /** By the id of the interaction. */
  bodies: Map<string, Buffer>;
}

export async function startInteractions(): Promise<Interactions> {
  const bodies = new Map<string, Buffer>();
  const token = randomUUID();
  const running = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [
      partialService(InteractionServiceService, {
        listCompletionBodies: async ({ completions }) => ({
          bodies: completions.map(({ interactionId }) => bodies.get(interactionId) ?? Buffer.of()),
        }),
      }),
    ],
    tokens: { service: token, operator: randomUUID() },
    logger,
    isReady: async () => true,
  });
  return { ...running, token, bodies };
}

/** Raises events. */
export interface Sender extends AsyncDisposable {
  /** Commits the completion; the relay sends its event. */
  complete(completion: Completion, workspaceId: string): Promise<void>;
}

/** `adminUrl`: the server for the database of the outbox. */
export async function startSender(
  { bodies }: Interactions,
  { adminUrl, natsUrl }: { adminUrl: string; natsUrl: string },
): Promise<Sender> {
  await using starting = new AsyncDisposableStack();
  await createDatabase(adminUrl, 'sender');
  const url = databaseUrl(adminUrl, 'sender');
  const { db } = starting.use(openDatabase<{ outbox: OutboxTable }>({ url, logger }));
  await createOutboxTable(db);
  const broker = starting.use(await openBroker({ url: natsUrl, logger }));
  const relay = starting.use(startRelay({ db, broker, logger }));
  const stack = starting.move();
  return {
    complete: async ({ id, body }, workspaceId) => {
      bodies.set(id, Buffer.from(body));
      const message = {
        interactionId: id,
        workspaceId,
        customerId: 'customer-4711',
        completedAt: new Date(),
      };
      const row = outboxRow(interactionCompleted, { id, workspaceId, message });
      await db
        .insertInto('outbox')
        .values({ ...row, createdAt: new Date(), publishedAt: null })
        .execute();
      relay.wake();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await admin.end();
  }
}
