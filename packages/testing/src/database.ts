import { randomBytes } from 'node:crypto';
import { provision } from '@parley/postgres/provision';
import { serviceUrl } from '@parley/postgres/urls';
import pg from 'pg';
import { inject } from 'vitest';

/** Services that own a schema. */
export type ServiceName = 'identity' | 'customer' | 'interaction' | 'webhook';

interface TestDatabase extends AsyncDisposable {
  /** For the service's own role. */
  url: string;
  /** For statements of the test, which may span workspaces. */
  testUrl: string;
  /** For the superuser. */
  adminUrl: string;
}

// Roles belong to the whole server: every test file must set the same password.
const password = 'of-a-test';

/** Creates an empty database with the role and schema of one service. Its disposal drops it. */
export async function createDatabase(service: ServiceName): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const database = `test_${service}_${randomBytes(6).toString('hex')}`;
  const owner = { name: service, password };
  await serialised(adminUrl, () => provision({ adminUrl, database, services: [owner] }));
  const ownAdminUrl = new URL(adminUrl);
  ownAdminUrl.pathname = `/${database}`;
  const url = serviceUrl(adminUrl, database, owner);
  return {
    url,
    testUrl: `${url}?application_name=test`,
    adminUrl: ownAdminUrl.href,
    [Symbol.asyncDispose]: () =>
      asAdmin(adminUrl, (admin) => admin.query(`drop database ${database} with (force)`)),
  };
}

/** Test files run in parallel, and parallel `alter role` of one role fail. */
async function serialised(adminUrl: string, work: () => Promise<void>): Promise<void> {
  await asAdmin(adminUrl, async (admin) => {
    await admin.query('select pg_advisory_lock(1)');
    await work();
  });
}

async function asAdmin(adminUrl: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
