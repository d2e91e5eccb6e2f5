// What a statement costs: plain Kysely on a pool of ten (the floor), `openDatabase`, and `openDatabase` with a statement
// that was built before. A process for each, on one Postgres; they take turns, so that all see the same machine.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removePostgres, startPostgres } from '@parley/local/postgres';
import { migrate } from '@parley/postgres/migrate';
import { openDatabase } from '@parley/postgres/open';
import { prepared, type StandIns } from '@parley/postgres/prepared';
import { provision } from '@parley/postgres/provision';
import { serviceUrl } from '@parley/postgres/urls';
import { createLogger } from '@parley/runtime/logger';
import { temporaryFolder } from '@parley/testing/folders';
import { CamelCasePlugin, type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { numberFlag, readFlags, runBenchmark } from './flags.ts';
import { spreadOf } from './statistics.ts';
import { startWorker, type Worker } from './worker.ts';

const help = `Measures what a statement costs against plain Kysely: npm run bench:postgres -- [FLAGS]

  --rounds N    turns of each way, 5 unless said
  --seconds N   of each turn, 3 unless said
  --help        this text
`;

/** `nothing` is what it costs to ask for statements at all; taken off the others. */
const ways = ['nothing', 'floor', 'openDatabase', 'prepared'] as const;
type Way = (typeof ways)[number];
const statements = ['point read', 'write of two rows'] as const;
type Statement = (typeof statements)[number];

/** Statements that go on all the time, or statements that begin at random moments. */
type Load = { inFlight: number } | { perSecond: number };
const loads: Load[] = [{ inFlight: 64 }, { perSecond: 500 }];

interface Turn {
  statement: Statement;
  load: Load;
  seconds: number;
}

/** What a turn has cost in all, and how many statements it had. */
interface Cost {
  count: number;
  nodeUs: number;
  postgresUs: number;
}

interface Tables {
  item: {
    id: Generated<string>;
    workspaceId: string;
    customerId: string;
    botId: Generated<string>;
    status: Generated<string>;
    priority: Generated<string>;
    typeLabel: Generated<string>;
    createdAt: Generated<Date>;
    expiresAt: Date | null;
    context: unknown;
    version: Generated<number>;
  };
  note: { itemId: string; workspaceId: string; body: string };
}

type Db = Kysely<Tables>;
type Run = (id: string) => Promise<unknown>;

const workspaceId = '01890000-0000-7000-8000-000000000000';
const logger = createLogger('bench', 'warn');
const columns = [
  'id',
  'workspaceId',
  'customerId',
  'botId',
  'status',
  'priority',
  'typeLabel',
  'createdAt',
  'expiresAt',
  'context',
  'version',
] as const;

interface Key {
  workspaceId: string;
  id: string;
}

const read = (db: Db, key: Key | StandIns<Key>) =>
  db.selectFrom('item').select(columns).where('workspaceId', '=', key.workspaceId).where('id', '=', key.id);

const context = JSON.stringify({ offer: 'x'.repeat(200), tags: [1, 2, 3] });

const write = (db: Db, key: Key | StandIns<Key>) =>
  db
    .with('made', (query) =>
      query
        .insertInto('item')
        .values({ workspaceId: key.workspaceId, customerId: key.id, context, expiresAt: null })
        .returning(columns),
    )
    .with('noted', (query) =>
      query
        .insertInto('note')
        .columns(['itemId', 'workspaceId', 'body'])
        .expression((from) =>
          from
            .selectFrom('made')
            .select(['made.id as itemId', 'made.workspaceId as workspaceId', 'made.customerId as body']),
        ),
    )
    .selectFrom('made')
    .select(columns);

function runsOf(way: Way, url: string): Record<Statement, Run> {
  if (way === 'nothing') return { 'point read': async () => {}, 'write of two rows': async () => {} };
  if (way === 'prepared') {
    const { db } = openDatabase<Tables>({ url, logger, isScoped: false });
    const preparedRead = prepared((on: Db, key: StandIns<Key>) => read(on, key));
    const preparedWrite = prepared((on: Db, key: StandIns<Key>) => write(on, key));
    return {
      'point read': (id) => preparedRead(db, { workspaceId, id }),
      'write of two rows': (id) => preparedWrite(db, { workspaceId, id }),
    };
  }
  const db = way === 'floor' ? plainKysely(url) : openDatabase<Tables>({ url, logger, isScoped: false }).db;
  return {
    'point read': (id) => read(db, { workspaceId, id }).executeTakeFirstOrThrow(),
    'write of two rows': (id) => write(db, { workspaceId, id }).executeTakeFirstOrThrow(),
  };
}

function plainKysely(url: string): Db {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins });
}

/** What each child does: opens the database in its way, then takes the turns that it is given. */
async function takeTurns(way: Way): Promise<void> {
  process.on('disconnect', () => process.exit());
  // Ctrl-C is for all of the group: the parent ends us.
  process.on('SIGINT', () => {});
  const [{ url }] = (await once(process, 'message')) as [{ url: string }];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select id from item');
  await client.end();
  const ids = rows.map((row) => row.id);
  const runs = runsOf(way, url);
  process.on('message', (turn: Turn) => {
    const run = runs[turn.statement];
    const runOnce = async (): Promise<void> => {
      await run(ids[Math.floor(Math.random() * ids.length)] ?? '');
    };
    void runFor(runOnce, turn).then((cost) => process.send?.(cost));
  });
  process.send?.('ready');
}

async function runFor(run: () => Promise<void>, { load, seconds }: Turn): Promise<Omit<Cost, 'postgresUs'>> {
  const before = process.cpuUsage();
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  const counted = async (): Promise<void> => {
    await run();
    count += 1;
  };
  if ('inFlight' in load) {
    const goOn = async (): Promise<void> => {
      for (let n = 1; performance.now() < end; n += 1) {
        await counted();
        // What does nothing would never let go.
        if (n % 1_000 === 0) await delay(0);
      }
    };
    await Promise.all(Array.from({ length: load.inFlight }, goOn));
  } else {
    const begun: Promise<void>[] = [];
    for (let at = performance.now(); at < end; ) {
      at += (-Math.log(1 - Math.random()) * 1_000) / load.perSecond;
      await delay(Math.max(0, at - performance.now()));
      begun.push(counted());
    }
    await Promise.all(begun);
  }
  const { user, system } = process.cpuUsage(before);
  return { count, nodeUs: user + system };
}

async function compare(rounds: number, seconds: number, ended: AbortSignal): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder('bench-postgres'));
  const dataDir = join(folder.path, 'data');
  stack.defer(() => removePostgres(dataDir));
  const postgres = stack.use(await startPostgres({ dataDir, durable: true }));
  const url = await createTables(postgres.url);
  const workers = {} as Record<Way, Worker>;
  for (const way of ways) {
    workers[way] = stack.use(startWorker(import.meta.filename, { env: { BENCH_WAY: way } }));
    await workers[way].ask({ url });
  }
  for (const statement of statements) {
    for (const load of loads) {
      const costs: Record<Way, Cost[]> = { nothing: [], floor: [], openDatabase: [], prepared: [] };
      // The first is for warming up.
      for (let round = 0; round <= rounds; round += 1) {
        for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
          ended.throwIfAborted();
          const before = backendTimes(postgres.pid);
          const turn: Turn = { statement, load, seconds };
          const cost = await workers[way].ask<Omit<Cost, 'postgresUs'>>(turn);
          const postgresUs = [...backendTimes(postgres.pid)].reduce(
            (total, [pid, us]) => total + us - (before.get(pid) ?? 0),
            0,
          );
          if (round > 0) costs[way].push({ ...cost, postgresUs });
        }
      }
      const name = 'inFlight' in load ? `${load.inFlight} in flight` : `${load.perSecond}/s`;
      print(`${statement}, ${name}`, costs, seconds);
    }
  }
}

async function createTables(adminUrl: string): Promise<string> {
  const owner = { name: 'bench', password: 'bench' };
  await provision({ adminUrl, database: 'bench', services: [owner] });
  const url = serviceUrl(adminUrl, 'bench', owner);
  const up = async (db: Kysely<unknown>): Promise<void> => {
    await sql`
      create table item (
        id uuid primary key default uuidv7(), workspace_id uuid not null, customer_id text not null,
        bot_id uuid not null default uuidv7(), status text not null default 'Pending',
        priority text not null default 'High', type_label text not null default 'A short question',
        created_at timestamptz not null default now(), expires_at timestamptz, context jsonb not null,
        version int not null default 1)`.execute(db);
    await sql`create index on item (workspace_id, id)`.execute(db);
    await sql`
      create table note (
        id uuid primary key default uuidv7(), item_id uuid not null, workspace_id uuid not null, body text not null)`.execute(
      db,
    );
    await sql`
      insert into item (workspace_id, customer_id, context)
      select ${workspaceId}, 'c-' || n, ${context} from generate_series(1, 9000) as n`.execute(db);
  };
  await migrate({ url, logger }, { '0001-init': { up } });
  return url;
}

/** Microseconds that each backend which is there has used: of the scheduler, since those of `stat` come in steps of 10 ms. */
function backendTimes(postmaster: number): Map<number, number> {
  const times = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(parent) !== postmaster) continue;
      const [runNs] = readFileSync(`/proc/${name}/schedstat`, 'latin1').split(' ');
      times.set(Number(name), Number(runNs) / 1_000);
    } catch {
      // It has ended meanwhile.
    }
  }
  return times;
}

function print(title: string, costs: Record<Way, Cost[]>, seconds: number): void {
  console.log(`\n${title}: us of CPU per statement, median [least, greatest]`);
  const idleUs = spreadOf(costs.nothing.map(({ nodeUs, count }) => nodeUs / count)).median;
  const figures: [string, (cost: Cost) => number][] = [
    ['node', ({ nodeUs, count }) => nodeUs / count - idleUs],
    ['Postgres', ({ postgresUs, count }) => postgresUs / count],
    ['both', ({ nodeUs, postgresUs, count }) => (nodeUs + postgresUs) / count - idleUs],
  ];
  for (const way of ['floor', 'openDatabase', 'prepared'] as const) {
    const perSecond = spreadOf(costs[way].map(({ count }) => count / seconds)).median;
    const columns = figures.map(([name, of]) => {
      const ratios = costs[way].map((cost, round) => of(cost) / of(costs.floor[round] ?? cost));
      const ratio = way === 'floor' ? '' : ` = ${shown(ratios, 2)} of the floor`;
      return `  ${name} ${shown(costs[way].map(of), 0)}${ratio}`;
    });
    console.log(`${way}: ${perSecond.toFixed(0)}/s\n${columns.join('\n')}`);
  }
}

function shown(values: number[], digits: number): string {
  const { median, min, max } = spreadOf(values);
  return `${median.toFixed(digits)} [${min.toFixed(digits)}, ${max.toFixed(digits)}]`;
}

const asked = ways.find((way) => way === process.env['BENCH_WAY']);
if (asked) await takeTurns(asked);
else
  await runBenchmark(async (ended) => {
    const flags = readFlags({
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      help: { type: 'boolean', short: 'h', default: false },
    });
    if (flags.help) {
      process.stdout.write(help);
      return;
    }
    const rounds = numberFlag('rounds', flags.rounds, 1);
    await compare(rounds, numberFlag('seconds', flags.seconds, 1), ended);
  });
