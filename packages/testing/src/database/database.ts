import { randomBytes } from 'node:crypto';
import type { DatabaseService } from '@parley/contracts/services';
import { withClient } from '@parley/postgres/connecting/client';
import { migrate, type Migrations } from '@parley/postgres/schema/migrate';
import { provision } from '@parley/postgres/schema/provision';
import { databaseUrl, roleOf, serviceUrl } from '@parley/postgres/connecting/urls';
import pg from 'pg';
import { inject } from 'vitest';
import { quietLogger as logger } from '../quiet.ts';

interface TestDatabase extends AsyncDisposable {
  /** For the service's own role. */
  url: string;
  /** For statements of the test, which may span workspaces. */
  testUrl: string;
  /** For the superuser. */
  adminUrl: string;
}

// Roles belong to the whole server: every test file must set this password.
const password = 'of-a-test';

/** The templates that exist, by server and name. */
const templates = new Map<string, Promise<void>>();

/**
 * Creates a database with the role and schema of one service, and with the service's tables if its migrations are
 * given, by default on the server that the run shares. Its disposal drops it.
 */
export async function createDatabase(
  service: DatabaseService,
  migrations?: Migrations,
  adminUrl: string = inject('adminUrl'),
): Promise<TestDatabase> {
  const template = `template_${service}${migrations ? '_migrated' : ''}`;
  const templateUrl = databaseUrl(adminUrl, template);
  const making = templates.get(templateUrl) ?? makeTemplate(adminUrl, template, service, migrations);
  templates.set(templateUrl, making);
  await making;
  const database = `test_${service}_${randomBytes(6).toString('hex')}`;
  const admin = adminOf(adminUrl);
  // A third of the cost of a copy through the log, whose purpose is a server that must survive a crash.
  await admin.query(`create database ${database} template ${template} strategy file_copy`);
  // A copy has neither the rights nor the settings of its template.
  const role = roleOf(service);
  await admin.query(`
    revoke all on database ${database} from public;
    grant connect on database ${database} to ${role};
    alter role ${role} in database ${database} set search_path = ${service}`);
  const url = serviceUrl(adminUrl, database, { name: service, password });
  return {
    url,
    testUrl: `${url}?application_name=test`,
    adminUrl: databaseUrl(adminUrl, database),
    [Symbol.asyncDispose]: async () => {
      await admin.query(`drop database ${database} with (force)`);
    },
  };
}

/** Creates the template of all databases of a service, if it does not exist. */
async function makeTemplate(
  adminUrl: string,
  template: string,
  service: DatabaseService,
  migrations: Migrations | undefined,
): Promise<void> {
  const owner = { name: service, password };
  await withClient(adminUrl, async (admin) => {
    // Test files run in parallel: one of them creates it, and parallel `alter role` of one role fail.
    await admin.query('select pg_advisory_lock(1)');
    const found = await admin.query('select from pg_database where datname = $1', [template]);
    if (found.rowCount !== 0) return;
    const unfinished = `unfinished_${template}`;
    await admin.query(`drop database if exists ${unfinished}`);
    await provision({ adminUrl, database: unfinished, services: [owner] });
    const url = serviceUrl(adminUrl, unfinished, owner);
    if (migrations) await migrate({ url, logger }, migrations);
    await admin.query(`alter database ${unfinished} rename to ${template}`);
  });
}

const pools = new Map<string, pg.Pool>();

/** Returns the connection with which this process creates and drops databases. It does not keep the process alive. */
function adminOf(adminUrl: string): pg.Pool {
  const opened = pools.get(adminUrl);
  if (opened) return opened;
  const pool = new pg.Pool({
    connectionString: adminUrl,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {});
  pools.set(adminUrl, pool);
  return pool;
}
