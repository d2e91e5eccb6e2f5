import { openDatabase } from '@parley/postgres/connecting/open';
import { serviceUrl } from '@parley/postgres/connecting/urls';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { type Kysely, sql } from 'kysely';
import { expireBatch } from '../../services/interaction/src/changing/expiry-store.ts';
import { raiseDue } from '../../services/interaction/src/changing/availability-store.ts';
import { stallBatch } from '../../services/interaction/src/changing/stalled-store.ts';
import type { Tables } from '../../services/interaction/src/schema.ts';
import type { Deployment } from '../setup/deployment.ts';
import { openAdmin } from '../setup/seed.ts';
import { spreadOf } from '../measure/statistics.ts';
import type { GrowthOutcome } from './measure.ts';

/** A sweep of the interaction service, and the rows that it finds. */
interface Sweep {
  title: string;
  run(db: Kysely<Tables>): Promise<unknown>;
  table: 'interaction' | 'availability';
  key: 'id' | 'interaction_id';
  /** The column that becomes due, and a status with it. */
  column: 'stalls_at' | 'expires_at' | 'due_at';
  status?: 'InProgress' | 'Pending';
  /** The status if all interactions are open conversations. */
  openStatus?: 'InProgress';
}

const ofInteraction = { table: 'interaction', key: 'id' } as const;

const sweeps: readonly Sweep[] = [
  {
    title: 'stalled conversations',
    run: stallBatch,
    ...ofInteraction,
    column: 'stalls_at',
    status: 'InProgress',
  },
  {
    title: 'expired interactions',
    run: expireBatch,
    ...ofInteraction,
    column: 'expires_at',
    status: 'Pending',
    openStatus: 'InProgress',
  },
  { title: 'reminders', run: raiseDue, table: 'availability', key: 'interaction_id', column: 'due_at' },
];

/** How many interactions of a system wait for a reminder, at most. */
const remindersMax = 1_000_000;

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
export async function measureSweeps(
  small: Deployment,
  large: Deployment,
  { areOpen }: { areOpen: boolean },
): Promise<GrowthOutcome[]> {
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
  for (const { system } of [small, large]) await addReminders(system.local().postgresUrl);
  const outcomes: GrowthOutcome[] = [];
  for (const { openStatus, ...other } of sweeps) {
    const sweep = areOpen && openStatus ? { ...other, status: openStatus } : other;
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

/** Lets interactions wait for a reminder in many years. */
async function addReminders(postgresUrl: string): Promise<void> {
  await using admin = await openAdmin(postgresUrl);
  await admin.query(
    `insert into availability (interaction_id, workspace_id, available_at, is_announcing, reminders, due_at)
     select id, workspace_id, timestamptz '2100-01-01', false, '{3600}', timestamptz '2100-01-01'
     from interaction limit $1 on conflict do nothing`,
    [remindersMax],
  );
  await admin.query('analyze availability');
}

/** Returns how many milliseconds a sweep takes that finds so many rows. Restores them afterwards. */
async function timeOf(sweep: Sweep, db: Kysely<Tables>, due: number): Promise<number> {
  const [table, key, name] = [sql.table(sweep.table), sql.ref(sweep.key), sql.ref(sweep.column)];
  const { status } = sweep;
  const isOfStatus = status === undefined ? sql`true` : sql`status = ${status}`;
  const { rows } = await sql<{ key: string }>`
    update ${table} set ${name} = now() - interval '1 second'
    where ${key} = any(array(select ${key} from ${table} where ${isOfStatus} and ${name} > now() limit ${due}))
    returning ${key} as key`.execute(db);
  if (rows.length !== due) throw new Error(`only ${rows.length} of ${due} rows can become due`);
  const startedAt = performance.now();
  await sweep.run(db);
  const tookMs = performance.now() - startedAt;
  const keys = rows.map((row) => row.key);
  const left = await sql`
    select from ${table} where ${key} = any(${keys}::uuid[]) and ${isOfStatus} and ${name} <= now()`.execute(
    db,
  );
  if (left.rows.length > 0) throw new Error(`the sweep left ${left.rows.length} rows`);
  const restored = status === undefined ? sql`` : sql`status = ${status}, `;
  await sql`
    update ${table} set ${restored}${name} = timestamptz '2100-01-01' where ${key} = any(${keys}::uuid[])`.execute(
    db,
  );
  return tookMs;
}
