// A service of another team: counts completed interactions per hour, in its own database. It needs a role with a schema
// of its own (DATABASE_URL), the broker (NATS_URL), and the interaction service (INTERACTION_ADDRESS, RPC_TOKEN).
import { createServer } from 'node:http';
import { interactionCompleted } from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { startConsumer } from '@parley/events/consumer';
import { createInbox, extendInbox } from '@parley/events/inbox';
import { openBroker } from '@parley/events/nats';
import { migrate } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import { rpcTlsOf } from '@parley/runtime/config/config';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { sql } from 'kysely';

// oxlint-disable-next-line node/no-process-env -- its whole configuration
const environment = process.env;
const {
  DATABASE_URL = '',
  NATS_URL = '',
  INTERACTION_ADDRESS = '',
  RPC_TOKEN = '',
  PORT = '0',
} = environment;
const logger = createLogger('completions-per-hour', 'info');
const stack = new AsyncDisposableStack();

await migrate(
  { url: DATABASE_URL, logger },
  {
    '0001-init': {
      up: async (db) => {
        await createInbox(db);
        await sql`create table completed_hour (hour timestamptz primary key, n int not null)`.execute(db);
      },
    },
    '0002-inbox': { up: (db) => extendInbox(db, { hasPartitionFunctions: false }) },
  },
);
const { db } = stack.use(openDatabase<object>({ url: DATABASE_URL, logger }));
const broker = stack.use(await openBroker({ url: NATS_URL, logger }));
// With RPC_TLS_*_FILE, calls use TLS.
const tls = stack.use(openTls(rpcTlsOf(environment), 'consumer', logger));
const interactions = stack.use(
  connect(INTERACTION_ADDRESS, { token: RPC_TOKEN, caller: 'consumer', tls: tls?.to('interaction') }),
);

stack.use(
  startConsumer({
    broker,
    logger,
    db,
    durable: 'completions-per-hour',
    types: [interactionCompleted],
    sources: [{ name: 'interaction', log: interactions.client(EventLogServiceService) }],
    from: 'beginning',
    handle: async (events, take) => {
      await db.transaction().execute(async (trx) => {
        const fresh = await take(trx);
        const times = events.filter(({ id }) => fresh.has(id)).map(({ raisedAt }) => raisedAt.toISOString());
        await sql`
          insert into completed_hour (hour, n)
          select date_trunc('hour', at), count(*) from unnest(${times}::timestamptz[]) as at group by 1 order by 1
          on conflict (hour) do update set n = completed_hour.n + excluded.n`.execute(trx);
      });
    },
  }),
);

// `GET /` shows the counts.
const server = createServer((_request, response) => {
  void sql`select hour, n from completed_hour order by hour`.execute(db).then(
    ({ rows }) => response.end(JSON.stringify(rows)),
    () => response.writeHead(503).end(),
  );
}).listen(Number(PORT), '127.0.0.1', () => logger.info({ address: server.address() }, 'listening'));

process.once('SIGTERM', () => {
  server.close();
  void stack.disposeAsync();
});
