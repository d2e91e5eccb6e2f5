import pg from 'pg';
import { databaseUrl, roleOf } from './urls.ts';
import { commentOf, type Owner, refuseOthers } from './owner.ts';
import { requireVersion } from './server.ts';

/** Where, and for whom, there is to be a database. */
export interface ProvisionOptions {
  /** A role that may create roles and databases, connected to any database. */
  adminUrl: string;
  database: string;
  /** The services that share the database: each gets the schema `name` and the role `parley_<name>`. */
  services: readonly { name: string; password: string }[];
  /** On a server that others use too: with one, nothing is touched that bears another's name, or nobody's. */
  owner?: Owner | undefined;
}

/**
 * Makes the database, and for each service a schema and a role that owns it and can read no other. Idempotent; sets the
 * passwords anew. Throws, with nothing changed, where database or roles are there and not the given owner's. A deployment
 * may do the same by hand (deploy/postgres/init.sh) or give each service its own database.
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
    // All roles or none, and before the database: of two owners that come at once one gets them all.
    await admin.query('begin');
    for (const { name, password } of services) await makeRole(admin, roleOf(name), password, owner);
    await admin.query('commit');
    const found = await admin.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await admin.query(`create database ${db} encoding 'UTF8' template template0`);
    if (owner) await admin.query(`comment on database ${db} is ${pg.escapeLiteral(commentOf(owner))}`);
  });
  await withClient(databaseUrl(adminUrl, database), async (admin) => {
    await admin.query(`revoke all on database ${db} from public`);
    await admin.query('revoke all on schema public from public');
    // Large objects are in no schema: nobody would see whose they are, nor clear them away.
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

async function makeRole(
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

/** Runs statements as the administrator, over a connection of its own. */
export async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
