import { interactionCompleted, interactionCreated } from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { startConsumer } from '@parley/events/consumer';
import { createInbox, extendInbox } from '@parley/events/inbox';
import { openBroker } from '@parley/events/nats';
import { migrate } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { connect } from '@parley/rpc/connect';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { startTelemetry } from '@parley/runtime/telemetry/telemetry';
import { sql } from 'kysely';
import type { TeamSettings } from './teams.ts';

// A service of another team that records each event of interactions which it handles.

const settings = JSON.parse(process.argv[2] ?? '') as TeamSettings;
const { durable, databaseUrl: url } = settings;
const logger = createLogger(durable, 'error');
const stack = new AsyncDisposableStack();
await startTelemetry(durable, { METRICS_LISTEN: `127.0.0.1:${settings.metricsPort}` });
await migrate(
  { url, logger },
  {
    '0001-init': {
      up: async (db) => {
        await createInbox(db);
        await extendInbox(db, { hasPartitionFunctions: false });
        await sql`
          create table handled (event_id uuid primary key, type text not null, about uuid not null)`.execute(
          db,
        );
      },
    },
  },
);
const { db } = stack.use(openDatabase<object>({ url, logger }));
const broker = stack.use(await openBroker({ url: settings.natsUrl, logger }));
const interactions = stack.use(
  connect(settings.interactionAddress, { token: settings.rpcToken, caller: 'consumer' }),
);
stack.use(
  startConsumer<{ interactionId: string }, object>({
    broker,
    logger,
    db,
    durable,
    types: [interactionCreated, interactionCompleted],
    sources: [{ name: 'interaction', log: interactions.client(EventLogServiceService) }],
    from: settings.from,
    handle: async (events, take) => {
      await db.transaction().execute(async (trx) => {
        const fresh = await take(trx);
        const rows = events.filter(({ id }) => fresh.has(id));
        // Throws if one is handled twice.
        await sql`
          insert into handled (event_id, type, about)
          select * from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ type }) => type.subject)}::text[],
            ${rows.map(({ message }) => message.interactionId)}::uuid[])`.execute(trx);
      });
    },
  }),
);

process.once('SIGTERM', () => {
  void stack.disposeAsync().finally(() => process.exit());
});
process.on('disconnect', () => process.exit());
// A terminal sends the signal to this process too; the run ends it.
process.on('SIGINT', () => {});
