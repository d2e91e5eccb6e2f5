import pg from 'pg';
import { databaseUrl, roleOf } from './urls.ts';
import { requireVersion } from './server.ts';

/** Where, and for whom, there is to be a database. */
export interface ProvisionOptions {
  /** A role that may create roles and databases, connected to any database. */
  adminUrl: string;
  database: string;
  /** The services that share the database: each gets the schema `name` and the role `parley_<name>`. */
  services: readonly { name: string; password: string }[];
}

/**
 * Makes the database, and for each service a schema and a role that owns it and can read no other. Idempotent; sets the
 * passwords anew. A deployment may do the same by hand (deploy/postgres/init.sh) or give each service its own database.
 */
export async function provision(options: ProvisionOptions): Promise<void> {
  const { database } = options;
  await withClient(options.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ number: number }>(
      "select current_setting('server_version_num')::int as number",
    );
    for (const { number } of rows) requireVersion(number);
    const found = await admin.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) {
      await admin.query(
        `create database ${pg.escapeIdentifier(database)} encoding 'UTF8' template template0`,
      );
    }
    for (const { name, password } of options.services) {
      const role = pg.escapeIdentifier(roleOf(name));
      const known = await admin.query('select 1 from pg_roles where rolname = $1', [roleOf(name)]);
      if (known.rowCount === 0) await admin.query(`create role ${role} login`);
      await admin.query(`alter role ${role} with password ${pg.escapeLiteral(password)}`);
    }
  });
  await withClient(databaseUrl(options.adminUrl, database), async (admin) => {
    const db = pg.escapeIdentifier(database);
    await admin.query(`revoke all on database ${db} from public`);
    await admin.query('revoke all on schema public from public');
    for (const { name } of options.services) {
      const role = pg.escapeIdentifier(roleOf(name));
      const schema = pg.escapeIdentifier(name);
      await admin.query(`grant connect on database ${db} to ${role}`);
      await admin.query(`grant ${role} to current_user`);
      await admin.query(`create schema if not exists ${schema} authorization ${role}`);
      await admin.query(`alter role ${role} in database ${db} set search_path = ${schema}`);
    }
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
