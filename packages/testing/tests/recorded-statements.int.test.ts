import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '@parley/testing/database/database';
import { recordStatements } from '@parley/testing/database/recorded-statements';
import { expect, test } from 'vitest';

const program = `
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: process.argv[1] });
  await client.connect();
  for (const text of ['begin', 'select 1', 'select oid from pg_class', 'rollback']) await client.query({ text });
  await client.end();`;

const reading = `
  const { openDatabase } = await import('@parley/postgres/connecting/open');
  const { reads, scans } = await import('@parley/postgres/sql/dialect');
  const { quietLogger: logger } = await import('@parley/testing/quiet');
  const { sql } = await import('kysely');
  await using database = openDatabase({ url: process.argv[1], logger });
  const { db } = database;
  await sql\`select 1\`.execute(reads(db));
  await sql\`select 2\`.execute(scans(db));
  await db.transaction().execute((trx) => sql\`select 3\`.execute(trx));
  await sql\`select pg_advisory_xact_lock(4)\`.execute(db);
  await sql\`create table thing (id int)\`.execute(db);
  await sql\`with gone as (delete from thing returning id) select from gone\`.execute(db);
  await sql\`select 6\`.execute(db);`;

test('a read that takes a connection from writes is found', async () => {
  await using database = await createDatabase('customer');
  await using statements = await recordStatements();
  const options = {
    env: { ...process.env, NODE_OPTIONS: statements.nodeOptions },
    cwd: join(import.meta.dirname, '../../postgres'),
  };
  await promisify(execFile)(process.execPath, ['--eval', reading, database.url], options);
  expect(await statements.findReadsAmongWrites()).toEqual(['select 6']);
});

test('a statement of a process that is not restricted to a workspace is found, unless a test runs it', async () => {
  await using database = await createDatabase('customer');
  await using statements = await recordStatements();
  const options = { env: { ...process.env, NODE_OPTIONS: statements.nodeOptions }, cwd: import.meta.dirname };
  const run = (url: string) => promisify(execFile)(process.execPath, ['--eval', program, url], options);
  await run(database.testUrl);
  expect(await statements.findUnrestricted()).toEqual([]);
  await run(database.url);
  expect(await statements.findUnrestricted()).toEqual([
    'pg_class is not restricted to a workspace: select oid from pg_class',
  ]);
});
