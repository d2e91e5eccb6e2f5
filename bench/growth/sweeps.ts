import { openDatabase } from '@parley/postgres/connecting/open';
import { serviceUrl } from '@parley/postgres/connecting/urls';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { type Kysely, sql } from 'kysely';
import { expireBatch } from '../../services/interaction/src/changing/expiry-store.ts';
import { stallBatch } from '../../services/interaction/src/changing/stalled-store.ts';
import type { Tables } from '../../services/interaction/src/schema.ts';
import type { Deployment } from '../setup/deployment.ts';
import { spreadOf } from '../measure/statistics.ts';
import type { GrowthOutcome } from './measure.ts';

/** A sweep of the interaction service, and the rows that it finds. */
interface Sweep {
  title: string;
  run(db: Kysely<Tables>): Promise<boolean>;
  /** The column that becomes due, and a status with it. */
  column: 'stalls_at' | 'expires_at';
  status: 'InProgress' | 'Pending';
}

const sweeps: readonly Sweep[] = [
  { title: 'stalled conversations', run: stallBatch, column: 'stalls_at', status: 'InProgress' },
  { title: 'expired interactions', run: expireBatch, column: 'expires_at', status: 'Pending' },
];

const ratioMax = 1.5;
/** How many rows are due: none, as mostly, and some. */
const dueRows = [0, 100] as const;
const runs = 30;
const warmUpRuns = 5;
const database = 'parley';

/**
 * Measures the sweeps of the interaction service on both systems alternately. Its processes are frozen meanwhile, or
 * they would take the rows.
 */
export async function measureSweeps(small: Deployment, large: Deployment): Promise<GrowthOutcome[]> {
  await using stack = new AsyncDisposableStack();
  const logger = createLogger('bench', 'silent');
  const [smallDb, largeDb] = [small, large].map(({ system, secrets }) => {
    const { processes, postgresUrl } = system.local();
    for (const { name, pid } of processes) {
      if (!name.startsWith('interaction')) continue;
      process.kill(pid, 'SIGSTOP');
      stack.defer(() => void process.kill(pid, 'SIGCONT'));
    }
    const owner = { name: 'interaction', password: secrets.passwords.interaction };
    return stack.use(openDatabase<Tables>({ url: serviceUrl(postgresUrl, database, owner), logger })).db;
  });
  if (!smallDb || !largeDb) throw new Error('two systems');
  const outcomes: GrowthOutcome[] = [];
  for (const sweep of sweeps) {
    for (const due of dueRows) {
      const smallMs: number[] = [];
      const largeMs: number[] = [];
      for (let run = -warmUpRuns; run < runs; run += 1) {
        const took = [await timeOf(sweep, smallDb, due), await timeOf(sweep, largeDb, due)] as const;
        if (run < 0) continue;
        smallMs.push(took[0]);
        largeMs.push(took[1]);
      }
      const title = `sweep of ${sweep.title}, ${due} due`;
      outcomes.push({
        measured: { title, ratioMax },
        smallMs: spreadOf(smallMs),
        largeMs: spreadOf(largeMs),
      });
    }
  }
  return outcomes;
}

/** Returns how many milliseconds a sweep takes that finds so many rows. Restores them afterwards. */
async function timeOf({ run, column, status }: Sweep, db: Kysely<Tables>, due: number): Promise<number> {
  const name = sql.ref(column);
  const { rows } = await sql<{ id: string }>`
    update interaction set ${name} = now() - interval '1 second'
    where id = any(array(select id from interaction where status = ${status} and ${name} > now() limit ${due}))
    returning id`.execute(db);
  if (rows.length !== due) throw new Error(`only ${rows.length} of ${due} rows can become due`);
  const startedAt = performance.now();
  await run(db);
  const tookMs = performance.now() - startedAt;
  const ids = rows.map(({ id }) => id);
  const left = await sql`
    select from interaction where id = any(${ids}::uuid[]) and status = ${status} and ${name} <= now()`.execute(
    db,
  );
  if (left.rows.length > 0) throw new Error(`the sweep left ${left.rows.length} rows`);
  await sql`
    update interaction set status = ${status}, ${name} = timestamptz '2100-01-01'
    where id = any(${ids}::uuid[])`.execute(db);
  return tookMs;
}
