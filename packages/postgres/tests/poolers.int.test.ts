import { migrate, type Migration, prepareSchema } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { inWork } from '@parley/runtime/scheduling/work';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { startPgBouncer } from '@parley/testing/servers/pgbouncer';
import { quietLogger as logger } from '@parley/testing/quiet';
import { repeatedly } from '@parley/testing/repeatedly';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

interface Tables {
  thing: { id: number };
}

const adding = (name: string): Migration => ({
  up: async (db) => void (await sql`create table ${sql.id(name)} (id int primary key)`.execute(db)),
});
const migrations = { '0001-init': adding('thing') };

const stack = new AsyncDisposableStack();
let direct: string;
let otherDatabase: string;
let obstacle: string | undefined;
/** The URL through a pooler, by its mode. */
const through = { session: '', transaction: '' };
let admin: SqlConnection;

beforeAll(async () => {
  const database = stack.use(await createDatabase('customer'));
  direct = database.testUrl;
  otherDatabase = stack.use(await createDatabase('customer')).testUrl;
  admin = stack.use(await openSqlConnection(database.adminUrl));
  for (const mode of ['session', 'transaction'] as const) {
    const pooler = await startPgBouncer(stack, direct, mode);
    if (typeof pooler === 'string') obstacle = pooler;
    else through[mode] = pooler.url;
  }
});
afterAll(() => stack.disposeAsync());
beforeEach(({ skip }) => {
  if (obstacle) skip(obstacle);
});

test('behind a pooler in transaction mode, a start fails at once with a line that says what to set', async () => {
  const refusal =
    /^DATABASE_URL leads to a pooler .*: set pool_mode = session .*, or set DATABASE_URL to the server/;
  const url = through.transaction;
  await expect(prepareSchema({ url, migrateOnStart: false, logger }, {})).rejects.toThrow(refusal);
  await expect(migrate({ url, logger }, migrations)).rejects.toThrow(refusal);
  const start = prepareSchema({ url, migrationUrl: direct, migrateOnStart: true, logger }, {});
  await expect(start).rejects.toThrow(refusal);
});

test('behind a pooler in transaction mode that others use, a start fails too', async () => {
  await using others = await manySessions(through.transaction, 5);
  const busy = others.keepBusy();
  try {
    await expect(
      prepareSchema({ url: through.transaction, migrateOnStart: false, logger }, {}),
    ).rejects.toThrow(/pool_mode = session/);
  } finally {
    await busy.stop();
  }
});

test('behind a pooler in session mode without any ignored parameter, statements, time limits and cancellations work', async () => {
  await prepareSchema({ url: through.session, migrateOnStart: true, logger }, migrations);
  await using database = openDatabase<Tables>({ url: through.session, logger, plansOnce: true });
  const { db } = database;
  expect(await database.isReady()).toBe(true);
  const ids = Array.from({ length: 30 }, (_, id) => id);
  await Promise.all(ids.map((id) => db.insertInto('thing').values({ id }).execute()));
  const found = await Promise.all(
    ids.map((id) => db.selectFrom('thing').select('id').where('id', '=', id).execute()),
  );
  expect(found.flat()).toEqual(ids.map((id) => ({ id })));
  const { rows } = await sql`
    select current_setting('statement_timeout') as limit, current_setting('plan_cache_mode') as plans`.execute(
    db,
  );
  expect(rows).toEqual([{ limit: '5s', plans: 'force_generic_plan' }]);

  const caller = new AbortController();
  const given = inWork({ tenant: 'a', signal: caller.signal }, () =>
    sql`select pg_sleep(30) as given_up`.execute(db),
  ).catch((error: unknown) => error);
  await eventually(async () => expect(await running('given_up')).toBe(1));
  caller.abort();
  expect(await given).toMatchObject({ code: 'deadline_exceeded' });
  await eventually(async () => expect(await running('given_up')).toBe(0));
});

test('migrations run where MIGRATION_DATABASE_URL says, and a start fails if that is another database', async () => {
  const more = { ...migrations, '0002-more': adding('more') };
  const start = (migrationUrl: string) =>
    prepareSchema({ url: through.session, migrationUrl, migrateOnStart: true, logger }, more);
  await expect(start(otherDatabase)).rejects.toThrow(
    'the schema lacks migrations, and MIGRATION_DATABASE_URL names another one: 0002-more',
  );
  await expect(start(direct)).resolves.toBeUndefined();
});

async function running(text: string): Promise<number> {
  const rows = await admin.query(
    `select from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()`,
    [`%${text}%`],
  );
  return rows.length;
}

/** Sessions through a pooler, which others of the same role have. */
async function manySessions(url: string, number: number) {
  await using opening = new AsyncDisposableStack();
  const sessions: SqlConnection[] = [];
  for (let made = 0; made < number; made += 1) sessions.push(opening.use(await openSqlConnection(url)));
  const opened = opening.move();
  return {
    /** Each runs one statement after another. */
    keepBusy: () =>
      repeatedly(async (loop) => sessions[loop]?.query('select pg_sleep(random() / 1000)'), {
        parallel: sessions.length,
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
