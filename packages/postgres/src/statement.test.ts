import { expect, test } from 'vitest';
import { statementOf } from './statement.ts';

test('a statement has a stable, unique name', () => {
  const { name } = statementOf('select $1::int');
  expect(statementOf('select $1::int').name).toBe(name);
  expect(statementOf('select $1::text').name).not.toBe(name);
  expect(name.length).toBeLessThan(64);
});

test.each(['select 1', '\n  SELECT "id" from "thing" where "id" = $1', 'select count(*) from thing'])(
  'can share a connection: %s',
  (text) => expect(statementOf(text).isPlainRead).toBe(true),
);

test.each([
  'select id from thing for update',
  'select id from thing for no key update skip locked',
  'select id from thing for share of thing',
  'select id from thing for key share',
  'select pg_advisory_lock(1)',
  'select pg_catalog.pg_sleep ($1)',
  "select nextval('serial')",
  'select drop_partition($1)',
  'select id into other from thing',
  'select 1; delete from thing',
  'with gone as (delete from thing returning id) select id from gone',
  'insert into thing (id) values ($1)',
  'update thing set id = $1',
  'begin',
  'selection',
])('needs an exclusive connection: %s', (text) => expect(statementOf(text).isPlainRead).toBe(false));
