import { databaseServices } from '@parley/contracts/services';
import { migrate } from '@parley/postgres/schema/migrate';
import { provision } from '@parley/postgres/schema/provision';
import { databaseUrl, serviceUrl } from '@parley/postgres/connecting/urls';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { migrations as customer } from '../../services/customer/src/migrations/index.ts';
import { migrations as identity } from '../../services/identity/src/migrations/index.ts';
import { migrations as interaction } from '../../services/interaction/src/migrations/index.ts';
import type { Settings } from './settings.ts';
import { startOwnPostgres } from '@parley/testing/servers/own-postgres';
import { timeOf, timeOfTree } from '../measure/processor-time.ts';
import { startWorker } from '../setup/worker.ts';

/** The baseline of the real system: the monolith on its own Postgres. Disposing ends and removes both. */
export interface Baseline extends AsyncDisposable {
  name: 'monolith' | 'with an outbox';
  port: number;
  /** The administrator's URL of its database. */
  adminUrl: string;
  /** Returns the microseconds of processor time that each process has used so far. */
  times(): Record<string, number>;
}

/** Starts the same kind of Postgres, with the tables of the services, and the monolith. */
export async function startBaseline(
  settings: Omit<Settings, 'databaseUrl'>,
  nodeFlags: readonly string[] = [],
): Promise<Baseline> {
  await using started = new AsyncDisposableStack();
  const postgres = started.use(await startOwnPostgres('baseline', { durable: true }));
  const adminUrl = await createTables(postgres.url);

  const monolith = started.use(
    startWorker(new URL('./main.ts', import.meta.url), {
      nodeFlags,
      env: { NODE_ENV: 'production' },
    }),
  );
  const port = await monolith.ask<number>({ ...settings, databaseUrl: adminUrl } satisfies Settings);
  const stack = started.move();
  return {
    name: settings.hasOutbox ? 'with an outbox' : 'monolith',
    port,
    adminUrl,
    times: () => ({ monolith: timeOf(monolith.pid), postgres: timeOfTree(postgres.pid) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Creates the services' tables by their own migrations. */
async function createTables(url: string): Promise<string> {
  const database = 'parley';
  const services = databaseServices.map((name) => ({ name, password: 'baseline' }));
  await provision({ adminUrl: url, database, services });
  const logger = createLogger('baseline', 'warn');
  for (const [name, migrations] of Object.entries({ identity, customer, interaction })) {
    const owner = { name, password: 'baseline' };
    await migrate({ url: serviceUrl(url, database, owner), logger }, migrations);
  }
  return databaseUrl(url, database);
}
