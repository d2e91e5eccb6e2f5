import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { migrate } from '@parley/postgres/schema/migrate';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { longForm } from '@parley/testing/long-form';
import { quietLogger } from '@parley/testing/quiet';
import { repeatedly } from '@parley/testing/repeatedly';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connections } from '../src/connecting/connections.ts';
import { kyselyOver } from '../src/sql/dialect.ts';

interface Tables {
  mark: { token: string };
}

const statementCount = longForm(5_000);
const inFlightMax = 200;
const connectionsMax = 6;
/** A slow machine gets further statements, until this many connections were cut. */
const cutsMin = 6;

const stack = new AsyncDisposableStack();
let admin: pg.Client;
let db: Kysely<Tables>;

beforeAll(async () => {
  const database = stack.use(await createDatabase('customer'));
  const { testUrl: url } = database;
  const up = async (over: Kysely<unknown>): Promise<void> => {
    await sql`create table mark (token text primary key)`.execute(over);
    await sql`insert into mark (token) values ('taken')`.execute(over);
  };
  await migrate({ url, logger: quietLogger }, { '0001-init': { up } });
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  stack.defer(() => admin.end());
  // Long enough for every statement that should not time out, also on a busy machine.
  const client = { connectionString: url, query_timeout: 4_500 };
  const config = { client, settings: { statement_timeout: '1500' } };
  db = kyselyOver<Tables>(new Connections(() => config, { connectionsMax, logger: quietLogger }));
  stack.defer(() => db.destroy());
});
afterAll(() => stack.disposeAsync());

type Kind = (token: string) => Promise<void>;

interface Marked {
  token: string;
}

const tokenOf = (rows: readonly Marked[]): string[] => [...new Set(rows.map((row) => row.token))];

const reads: Kind = async (token) => {
  const { rows } = await sql<Marked>`select ${token}::text as token`.execute(db);
  expect(rows).toEqual([{ token }]);
};

const readsMuch: Kind = async (token) => {
  const { rows } = await sql<Marked>`
    select ${token}::text as token, repeat('x', 20000) as filler from generate_series(1, 20)`.execute(db);
  expect(rows).toHaveLength(20);
  expect(tokenOf(rows)).toEqual([token]);
};

const readsOfManyShapes: Kind = async (token) => {
  const columns = Array.from({ length: randomInt(1, 40) }, (_, n) => sql`${n}::int as ${sql.ref(`c${n}`)}`);
  const { rows } = await sql<Marked>`select ${token}::text as token, ${sql.join(columns)}`.execute(db);
  expect(tokenOf(rows)).toEqual([token]);
  expect(Object.keys(rows[0] ?? {})).toHaveLength(columns.length + 1);
};

const divides: Kind = async (token) => {
  // The server's message contains the invalid text of this statement.
  const failing = sql`select ${token}::text::int as n`.execute(db);
  await expectOr(failing, { code: '22P02', message: expect.stringContaining(`"${token}"`) });
};

const writes: Kind = async (token) => {
  const rows = await db.insertInto('mark').values({ token }).returning('token').execute();
  written.add(token);
  expect(rows).toEqual([{ token }]);
};

const clashes: Kind = async (token) => {
  const taken = sql`with given as (select ${token}::text) insert into mark (token) values ('taken')`.execute(
    db,
  );
  await expectOr(taken, { code: '23505' });
};

const takesTooLong: Kind = async (token) => {
  const slow = sql`select ${token}::text, pg_sleep(60)`.execute(db);
  await expectOr(slow, { code: 'deadline_exceeded' });
};

const transacts: Kind = async (token) => {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('mark').values({ token }).execute();
    const { rows } = await sql<Marked>`select token from mark where token = ${token}`.execute(trx);
    expect(rows).toEqual([{ token }]);
  });
  written.add(token);
};

const undoes: Kind = async (token) => {
  const undone = db.transaction().execute(async (trx) => {
    await Promise.all([
      trx.insertInto('mark').values({ token }).execute(),
      sql<Marked>`select ${token}::text as token`.execute(trx),
    ]);
    throw new Error(token);
  });
  undoneTokens.add(token);
  await expectOr(undone, { message: token });
};

const written = new Set<string>();
const undoneTokens = new Set<string>();

/** Expects the right failure, or the failure of a cut connection. */
async function expectOr(statement: Promise<unknown>, fault: object): Promise<void> {
  const error: unknown = await statement.then(
    () => expect.unreachable('it should have failed'),
    (reason: unknown) => reason,
  );
  if (isUnavailable(error)) throw error;
  expect(error).toMatchObject(fault);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'unavailable';
}

/** One in this many statements is of the kind. */
const kinds: [Kind, number][] = [
  [takesTooLong, 2_000],
  [readsMuch, 100],
  [undoes, 60],
  [transacts, 40],
  [clashes, 20],
  [writes, 10],
  [divides, 10],
  [readsOfManyShapes, 5],
];

function anyKind(): Kind {
  return kinds.find(([, oneIn]) => randomInt(oneIn) === 0)?.[0] ?? reads;
}

test(
  'every statement gets its own result, or unavailable if its connection was terminated',
  async ({ signal }) => {
    const outcomes = { own: 0, cut: 0 };
    const cuts = { count: 0 };
    const cutting = repeatedly(() => cutConnection(cuts));
    let begun = 0;
    async function work(): Promise<void> {
      while (!signal.aborted && (begun < statementCount || cuts.count < cutsMin)) {
        begun += 1;
        const outcome = await anyKind()(`token-${begun}`).then(
          () => 'own' as const,
          (error: unknown) => {
            if (!isUnavailable(error)) throw error;
            return 'cut' as const;
          },
        );
        // Statements of a closed pool fail at once: without a turn, no timer would run, nor the test's time limit.
        if (outcome === 'cut') await setImmediate();
        outcomes[outcome] += 1;
      }
    }
    try {
      await Promise.all(Array.from({ length: inFlightMax }, work));
    } finally {
      await cutting.stop();
    }

    expect(outcomes.own + outcomes.cut).toBe(begun);
    expect(cuts.count).toBeGreaterThanOrEqual(cutsMin);
    expect(outcomes.cut).toBeGreaterThan(0);
    expect(outcomes.own).toBeGreaterThan(outcomes.cut);
    // Acknowledged writes are stored, and rolled back ones are not.
    const { rows } = await admin.query<Marked>('select token from customer.mark');
    const there = new Set(rows.map((row) => row.token));
    expect([...written].filter((token) => !there.has(token))).toEqual([]);
    expect([...undoneTokens].filter((token) => there.has(token))).toEqual([]);
    // Statements still succeed, within the connection limit.
    const readAfter = () => Promise.all(Array.from({ length: 50 }, (_, n) => reads(`after-${n}`)));
    // The pool may not have noticed the last cut yet.
    await eventually(() => readAfter());
    await eventually(async () => expect(await countBackends()).toBeLessThanOrEqual(connectionsMax));
  },
  300_000 + statementCount,
);

/** Terminates a connection of the service, and waits for a random number of turns. Counts it in `cuts`. */
async function cutConnection(cuts: { count: number }): Promise<void> {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where usename = 'parley_customer' and datname = current_database() and state <> 'idle'
     order by random() limit 1`,
  );
  cuts.count += rowCount ?? 0;
  const pause = randomInt(500);
  for (let turn = 0; turn < pause; turn += 1) await setImmediate();
}

async function countBackends(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where usename = 'parley_customer' and datname = current_database()`,
  );
  return rows[0]?.n ?? 0;
}
