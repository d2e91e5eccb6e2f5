import {
  createIdempotencyTable,
  idempotent,
  type IdempotencyTable,
  purgeIdempotencyRecords,
  storedAnswer,
} from '@parley/postgres/idempotency';
import { migrate, type Migration } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

interface Tables {
  idempotencyRecord: IdempotencyTable;
  thing: { name: string };
}

const init: Migration = {
  up: async (over) => {
    await createIdempotencyTable(over);
    await sql`create table thing (name text not null)`.execute(over);
  },
};
const workspaceId = '01890000-0000-7000-8000-000000000000';
const codec = {
  encode: (message: string) => ({ finish: () => Buffer.from(message) }),
  decode: (bytes: Uint8Array): string => Buffer.from(bytes).toString(),
};

const stack = new AsyncDisposableStack();
let db: Kysely<Tables>;
// Another replica of the service.
let replica: Kysely<Tables>;

beforeAll(async () => {
  const { testUrl: url } = stack.use(await createDatabase('customer'));
  const open = () => stack.use(openDatabase<Tables>({ url, logger: quietLogger })).db;
  [db, replica] = [open(), open()];
  await migrate({ url, logger: quietLogger }, { '0001-init': init });
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => sql`truncate idempotency_record, thing`.execute(db));

const run = (effect: (trx: Kysely<Tables>) => Promise<string>, on = db, body = 'body') =>
  idempotent<Tables, string>(on, {
    key: { scope: 'key', fingerprint: Buffer.from(body) },
    workspaceId,
    subject: 'a',
    codec,
    effect,
  });

const age = (hours: number) =>
  sql`update idempotency_record set created_at = now() - make_interval(hours => ${hours})`.execute(db);

async function insertRecords(count: number, hours: number): Promise<void> {
  await sql`
    insert into idempotency_record (scope, workspace_id, subject, fingerprint, response, created_at)
    select ${`${hours} hours `} || n, ${workspaceId}, 's', '\\x00', '\\x00', now() - make_interval(hours => ${hours})
    from generate_series(1, ${count}) n`.execute(db);
}

async function countRecords(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from idempotency_record`.execute(db);
  return rows[0]?.n ?? 0;
}

async function things(): Promise<string[]> {
  const rows = await db.selectFrom('thing').select('name').execute();
  return rows.map((row) => row.name);
}

const make = (name: string) => async (trx: Kysely<Tables>) => {
  await trx.insertInto('thing').values({ name }).execute();
  return name;
};

test('twenty concurrent calls create one thing and get one response', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => run(make(`thing ${n}`))));
  const [made] = await things();
  expect(await things()).toHaveLength(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const { message } of answers) expect(message).toBe(made);
});

test('another body under the key is rejected', async () => {
  await run(make('one'));
  const reused = { code: 'unprocessable', type: 'idempotency-key-reused' };
  await expect(run(make('two'), db, 'other')).rejects.toMatchObject(reused);
  expect(await things()).toEqual(['one']);
});

test('the stored answer can be read beforehand: none without a valid record, 422 for another body', async () => {
  const ask = (body = 'body') =>
    storedAnswer(db, { key: { scope: 'key', fingerprint: Buffer.from(body) }, workspaceId, codec });
  expect(await ask()).toBeUndefined();
  await run(make('one'));
  expect(await ask()).toBe('one');
  await expect(ask('other')).rejects.toMatchObject({ type: 'idempotency-key-reused' });
  await age(25);
  expect([await ask(), await ask('other')]).toEqual([undefined, undefined]);
  expect(await storedAnswer(db, { key: null, workspaceId, codec })).toBeUndefined();
});

test('an effect that fails leaves no record, and the key stays usable', async () => {
  const failing = run(async (trx) => {
    await make('failed')(trx);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await run(make('made'))).toEqual({ message: 'made', replayed: false });
  expect(await things()).toEqual(['made']);
});

test('a record counts for 24 hours and not for 25', async () => {
  await run(async () => 'first');
  await age(23);
  expect(await run(async () => 'second')).toEqual({ message: 'first', replayed: true });
  await purgeIdempotencyRecords(db);
  expect(await countRecords()).toBe(1);
  await age(25);
  expect(await run(async () => 'second')).toEqual({ message: 'second', replayed: false });
});

test('a purge during the reuse of an expired key keeps the new record', async () => {
  await run(async () => 'first');
  await age(25);
  const waits = Promise.withResolvers<string>();
  let isUnderWay = false;
  const renewed = run(() => {
    isUnderWay = true;
    return waits.promise;
  });
  await eventually(() => expect(isUnderWay).toBe(true));
  // The purge starts before the call ends. It either waits for the call or skips its row.
  const purged = purgeIdempotencyRecords(replica);
  await Promise.race([purged, eventually(async () => expect(await isAnyoneWaiting()).toBe(true))]);
  waits.resolve('second');
  await Promise.all([renewed, purged]);
  expect(await run(async () => 'third')).toEqual({ message: 'second', replayed: true });
});

async function isAnyoneWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows.length > 0;
}

test('two concurrent calls with an expired key and a purge between them: one effect', async () => {
  for (let round = 0; round < 20; round += 1) {
    await sql`truncate idempotency_record`.execute(db);
    await run(async () => 'old');
    await age(25);
    let effects = 0;
    const effect = async () => `new ${(effects += 1)}`;
    const [one, , other] = await Promise.all([
      run(effect),
      purgeIdempotencyRecords(replica),
      run(effect, replica),
    ]);
    expect([effects, one.message, other.message]).toEqual([1, 'new 1', 'new 1']);
  }
});

test('of 100,000 expired records, two replicas purge different batches; fresh ones stay', async () => {
  await insertRecords(100_000, 30);
  await insertRecords(100, 1);
  await sql`analyze idempotency_record`.execute(db);
  expect(await purgeIdempotencyRecords(db)).toBe(true);
  expect(await countRecords()).toBe(99_100);
  expect(await Promise.all([purgeIdempotencyRecords(db), purgeIdempotencyRecords(replica)])).toEqual([
    true,
    true,
  ]);
  expect(await countRecords()).toBe(97_100);
  const empty = async (on: Kysely<Tables>) => {
    while (await purgeIdempotencyRecords(on));
  };
  await Promise.all([empty(db), empty(replica)]);
  await empty(db);
  expect(await countRecords()).toBe(100);
});
