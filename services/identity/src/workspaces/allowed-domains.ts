import { changesBetween } from '@parley/audit/rows';
import type { Workspace } from '@parley/contracts/identity/v1/identity';
import { requireExisting, invalidRequest } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { auditWorkspace } from '../auditing.ts';
import { domainFaults } from '../rules/workspace-faults.ts';
import type { Tables } from '../schema.ts';
import { replaceDomains } from './store.ts';

/** Replaces the allowed domains of a workspace. INVALID_ARGUMENT; NOT_FOUND when it does not exist. */
export async function replaceAllowedDomains(
  db: Kysely<Tables>,
  id: string,
  allowedDomains: string[],
): Promise<Workspace> {
  const faults = domainFaults(allowedDomains);
  if (faults.length > 0) throw invalidRequest(faults);
  return db.transaction().execute(async (trx) => {
    const { before, after } = requireExisting(await replaceDomains(trx, id, allowedDomains));
    const changes = changesBetween(before, { allowedDomains: after.allowedDomains });
    await auditWorkspace(trx, after.id, 'workspace.updated', changes);
    return after;
  });
}
