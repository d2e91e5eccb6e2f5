import pg from 'pg';
import { withClient } from '../connecting/client.ts';
import { findOwned, type Owner } from './owner.ts';
import type { ProvisionOptions } from './provision.ts';
import { roleOf } from '../connecting/urls.ts';

/**
 * Removes the database, with all data, and the roles, if `provision` created them for this owner. Other owners'
 * databases and roles stay. Idempotent. Cuts connections to the database.
 */
export async function unprovision(options: ProvisionOptions & { owner: Owner }): Promise<void> {
  const { adminUrl, database, services, owner } = options;
  const names = services.map(({ name }) => roleOf(name));
  await withClient(adminUrl, async (admin) => {
    const owned = await findOwned(admin, owner, database, names);
    if (owned.database) await admin.query(`drop database ${pg.escapeIdentifier(database)} with (force)`);
    for (const role of owned.roles) await admin.query(`drop role ${pg.escapeIdentifier(role)}`);
  });
}
