import pg from 'pg';
import { withClient } from '../connecting/client.ts';
import { databaseUrl, roleOf } from '../connecting/urls.ts';
import { commentOf, type Owner, refuseOthers } from './owner.ts';
import { requireVersion } from '../connecting/server.ts';

export interface ProvisionOptions {
  /** For a role that may create roles and databases; any database. */
  adminUrl: string;
  database: string;
  /** The services that share the database. Each gets the schema `name` and the role `parley_<name>`. */
  services: readonly { name: string; password: string }[];
  /** For a shared server: databases and roles of other owners, or without an owner, are not changed. */
  owner?: Owner | undefined;
}

/**
 * Creates the database, and for each service a schema and a role that owns it and can read no other. Idempotent; resets
 * the passwords. Throws, without any change, if the database or a role exists and does not belong to the given owner. A
 * deployment can do this by hand (deploy/postgres/init.sh) or give each service its own database.
 */
export async function provision(options: ProvisionOptions): Promise<void> {
  const { adminUrl, database, services, owner } = options;
  const roles = services.map(({ name }) => roleOf(name));
  const db = pg.escapeIdentifier(database);
  await withClient(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ number: number }>(
      "select current_setting('server_version_num')::int as number",
    );
    for (const { number } of rows) requireVersion(number);
    if (owner) await refuseOthers(admin, owner, database, roles);
    // All roles or none, before the database: of two concurrent owners, one gets everything.
    await admin.query('begin');
    for (const { name, password } of services) await createRole(admin, roleOf(name), password, owner);
    await admin.query('commit');
    const found = await admin.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await admin.query(`create database ${db} encoding 'UTF8' template template0`);
    if (owner) await admin.query(`comment on database ${db} is ${pg.escapeLiteral(commentOf(owner))}`);
  });
  await withClient(databaseUrl(adminUrl, database), async (admin) => {
    await admin.query(`revoke all on database ${db} from public`);
    await admin.query('revoke all on schema public from public');
    // Large objects belong to no schema, so they would escape isolation and clean-up.
    await admin.query(
      'revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public',
    );
    for (const { name } of services) {
      const role = pg.escapeIdentifier(roleOf(name));
      const schema = pg.escapeIdentifier(name);
      await admin.query(`grant connect on database ${db} to ${role}`);
      await admin.query(`grant ${role} to current_user`);
      await admin.query(`create schema if not exists ${schema} authorization ${role}`);
      await admin.query(`alter role ${role} in database ${db} set search_path = ${schema}`);
    }
  });
}

async function createRole(
  admin: pg.Client,
  name: string,
  password: string,
  owner: Owner | undefined,
): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const known = await admin.query('select 1 from pg_roles where rolname = $1', [name]);
  if (known.rowCount === 0) await admin.query(`create role ${role} login`);
  await admin.query(`alter role ${role} with password ${pg.escapeLiteral(password)}`);
  if (owner) await admin.query(`comment on role ${role} is ${pg.escapeLiteral(commentOf(owner))}`);
}
