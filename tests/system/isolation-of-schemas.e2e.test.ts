import { databaseServices } from '@parley/contracts/services';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const tablePrivileges = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'];

let admin: SqlConnection;
beforeAll(async () => {
  admin = await openSqlConnection(inject('local').postgresUrl);
});
afterAll(() => admin[Symbol.asyncDispose]());

interface Table {
  schema: string;
  name: string;
}

function tables(): Promise<Table[]> {
  return admin.query<Table>(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema <> all(array['information_schema', 'pg_catalog', 'pg_toast'])`,
  );
}

test('every service has its tables in its own schema, and there are no others', async () => {
  const schemas = new Set((await tables()).map(({ schema }) => schema));
  expect([...schemas].toSorted()).toEqual(databaseServices.toSorted());
});

describe.each(databaseServices)('the role of %s', (service) => {
  const role = `parley_${service}`;

  /** Runs the statement with the rights of the role, and rolls it back. */
  async function asRole(statement: string): Promise<void> {
    await admin.query('begin');
    try {
      await admin.query(`set local session authorization ${role}`);
      await admin.query(statement);
    } finally {
      await admin.query('rollback');
    }
  }

  test('is no superuser, belongs to no other role, and owns only its schema', async () => {
    const [rights] = await admin.query(
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = $1`,
      [role],
    );
    expect(Object.values(rights ?? {})).toEqual([false, false, false, false, false]);
    const memberships = `select roleid from pg_auth_members where member = $1::regrole`;
    expect(await admin.query(memberships, [role])).toEqual([]);
    const owned = await admin.query<{ nspname: string }>(
      `select nspname from pg_namespace where nspowner = $1::regrole
       union select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relowner = $1::regrole and nspname <> 'pg_toast'`,
      [role],
    );
    expect(owned.map(({ nspname }) => nspname)).toEqual([service]);
  });

  test('has no right in the schema of another, nor to any of its tables', async () => {
    const others = databaseServices.filter((other) => other !== service);
    const schemas = await admin.query(
      `select nspname from pg_namespace
       where nspname = any($2) and has_schema_privilege($1, oid, 'usage, create')`,
      [role, others],
    );
    expect(schemas).toEqual([]);
    const reachable = await admin.query(
      `select nspname, relname, privilege from pg_class join pg_namespace on pg_namespace.oid = relnamespace,
         unnest($3::text[]) as privilege
       where nspname = any($2) and relkind in ('r', 'v', 'm', 'p') and has_table_privilege($1, pg_class.oid, privilege)`,
      [role, others, tablePrivileges],
    );
    expect(reachable).toEqual([]);
  });

  test('cannot read any table of another', async () => {
    const foreign = (await tables()).filter(({ schema }) => schema !== service);
    expect(foreign.length).toBeGreaterThan(3);
    for (const { schema, name } of foreign) {
      await expect(asRole(`select 1 from "${schema}"."${name}"`), `${schema}.${name}`).rejects.toMatchObject({
        code: '42501',
      });
    }
  });

  test('reads its own', async () => {
    const own = (await tables()).filter(({ schema }) => schema === service);
    expect(own.length).toBeGreaterThan(0);
    for (const { schema, name } of own) await asRole(`select 1 from "${schema}"."${name}"`);
  });

  test.each([
    ['a table in public', 'create table public.intruder (id int)'],
    ['a function in public', 'create function public.intruder() returns int language sql return 1'],
    ['a schema', 'create schema intruder'],
    ['a temporary table', 'create temporary table intruder (id int)'],
  ])('cannot create %s', async (_what, statement) => {
    await expect(asRole(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
