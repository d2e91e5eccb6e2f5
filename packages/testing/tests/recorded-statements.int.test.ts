import { execFile } from 'node:child_process';
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

test('a statement of a process that is not restricted to a workspace is found, unless a test runs it', async () => {
  await using database = await createDatabase('customer');
  await using statements = await recordStatements();
  const options = { env: { ...process.env, NODE_OPTIONS: statements.nodeOptions }, cwd: import.meta.dirname };
  const run = (url: string) => promisify(execFile)(process.execPath, ['--eval', program, url], options);
  await run(database.testUrl);
  expect(await statements.findUnscoped()).toEqual([]);
  await run(database.url);
  expect(await statements.findUnscoped()).toEqual([
    'pg_class is not restricted to a workspace: select oid from pg_class',
  ]);
});
