import { randomBytes } from 'node:crypto';
import { provision, type ProvisionOptions } from '@parley/postgres/schema/provision';
import { unprovision } from '@parley/postgres/schema/unprovision';
import { databaseUrl, serviceUrl } from '@parley/postgres/connecting/urls';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

// The server is shared by all tests, so names are unique to this test.
let options: ProvisionOptions;
let service: { name: string; password: string };
const mine = { id: 'mine', place: '/home/ada/.parley' };
const other = { id: 'other', place: '/home/bob/.parley' };

beforeEach(() => {
  const unique = randomBytes(6).toString('hex');
  service = { name: `owned_${unique}`, password: 'first' };
  options = { adminUrl: inject('adminUrl'), database: `owned_${unique}`, services: [service] };
});

afterEach(async () => {
  await query(options.adminUrl, `drop database if exists ${options.database} with (force)`);
  await query(options.adminUrl, `drop role if exists parley_${service.name}`);
});

test('a second run without an owner resets the passwords', async () => {
  await provision(options);
  await provision(withPassword('second'));
  expect(await whoCanWrite('second')).toEqual([{ schema: service.name, role: `parley_${service.name}` }]);
  await expect(whoCanWrite('first')).rejects.toThrow(/password authentication failed/);
});

test('a service cannot create anything outside its schema', async () => {
  await provision(options);
  const url = serviceUrl(options.adminUrl, options.database, service);
  for (const statement of [
    'create table public.x ()',
    'create temp table x ()',
    'create schema x',
    'select lo_create(0)',
    'select lo_creat(-1)',
    "select lo_from_bytea(0, 'x')",
  ]) {
    await expect(query(url, statement)).rejects.toThrow(/permission denied/);
  }
});

test.each([
  ['no owner', undefined, ''],
  ['another owner', other, ' \\(of /home/bob/.parley\\)'],
])(
  'a database and role of %s are rejected and unchanged, also by the removal',
  async (_who, owner, whose) => {
    await provision({ ...options, owner });
    const things = `database ${options.database}, role parley_${service.name}`;
    await expect(provision({ ...withPassword('second'), owner: mine })).rejects.toThrow(
      new RegExp(
        `objects of another owner${whose}: ${things}\\. Nothing was changed\\. Use another server, or`,
      ),
    );
    await unprovision({ ...options, owner: mine });
    expect(await whoCanWrite('first')).toHaveLength(1);
  },
);

test('an existing role is rejected too, and no database is created', async () => {
  await query(options.adminUrl, `create role parley_${service.name} login password 'first'`);
  await expect(provision({ ...options, owner: mine })).rejects.toThrow(
    `: role parley_${service.name}. Nothing`,
  );
  const found = await query(options.adminUrl, 'select 1 from pg_database where datname = $1', [
    options.database,
  ]);
  expect(found).toEqual([]);
});

test('an owner can provision and remove its own repeatedly, from any place', async () => {
  await provision({ ...options, owner: mine });
  await provision({ ...withPassword('second'), owner: { ...mine, place: '/moved' } });
  expect(await whoCanWrite('second')).toHaveLength(1);
  await unprovision({ ...options, owner: mine });
  await unprovision({ ...options, owner: mine });
  await expect(whoCanWrite('second')).rejects.toThrow();
  await provision({ ...options, owner: other });
  expect(await whoCanWrite('first')).toHaveLength(1);
});

test('a role that may create roles and databases suffices', async () => {
  const maker = `maker_${service.name}`;
  await query(options.adminUrl, `create role ${maker} login createdb createrole password 'm'`);
  try {
    const url = new URL(options.adminUrl);
    url.username = maker;
    url.password = 'm';
    const asMaker = { ...options, adminUrl: databaseUrl(url.href, 'postgres'), owner: mine };
    await provision(asMaker);
    await provision(asMaker);
    expect(await whoCanWrite('first')).toHaveLength(1);
    await unprovision(asMaker);
    await expect(whoCanWrite('first')).rejects.toThrow();
  } finally {
    await query(options.adminUrl, `drop database if exists ${options.database} with (force)`);
    await query(options.adminUrl, `drop role if exists parley_${service.name}`);
    await query(options.adminUrl, `drop role ${maker}`);
  }
});

function withPassword(password: string): ProvisionOptions {
  return { ...options, services: [{ ...service, password }] };
}

/** Returns the session of the service with this password. Throws when the login is rejected. */
function whoCanWrite(password: string): Promise<unknown[]> {
  const url = serviceUrl(options.adminUrl, options.database, { ...service, password });
  return query(url, 'select current_schema as schema, current_user as role');
}

async function query(connectionString: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString, application_name: 'test' });
  try {
    await client.connect();
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
