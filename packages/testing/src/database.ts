import { randomBytes } from 'node:crypto';
import type { DatabaseService } from '@parley/local/services';
import { provision, withClient } from '@parley/postgres/provision';
import { databaseUrl, serviceUrl } from '@parley/postgres/urls';
import { inject } from 'vitest';

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
export async function createDatabase(service: DatabaseService): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const database = `test_${service}_${randomBytes(6).toString('hex')}`;
  const owner = { name: service, password };
  await withClient(adminUrl, async (admin) => {
    // Test files run in parallel, and parallel `alter role` of one role fail.
    await admin.query('select pg_advisory_lock(1)');
    await provision({ adminUrl, database, services: [owner] });
  });
  const url = serviceUrl(adminUrl, database, owner);
  return {
    url,
    testUrl: `${url}?application_name=test`,
    adminUrl: databaseUrl(adminUrl, database),
    [Symbol.asyncDispose]: () =>
      withClient(adminUrl, (admin) => admin.query(`drop database ${database} with (force)`)),
  };
}
