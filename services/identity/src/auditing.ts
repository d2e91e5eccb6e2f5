import { audit } from '@parley/audit/rows';
import type { AuditChanges } from '@parley/audit/table';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** The fields of a key whose changes the audit log shows. */
interface KeyFields {
  name: string | null;
  scopes: string[] | null;
  expiresAt: Date | null;
}

/** Returns the fields of a key that the audit log shows. */
export function keyFieldsOf({ name, scopes, expiresAt }: KeyFields): KeyFields {
  return { name, scopes, expiresAt };
}

/** Records a change of an API key in the log of its home, in the transaction of the change. */
export function auditKey(
  trx: Kysely<Tables>,
  action: `key.${'created' | 'updated' | 'revoked' | 'rotated'}`,
  { homeWorkspaceId: workspaceId, apiKey }: { homeWorkspaceId: string; apiKey: string },
  changes?: AuditChanges,
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'key', id: apiKey }], changes });
}

/** Records an action about a workspace, its branding or its secrets, in the transaction of the change. */
export function auditWorkspace(
  trx: Kysely<Tables>,
  workspaceId: string,
  action: 'workspace.created' | 'workspace.updated' | 'branding.updated' | 'sdkSecret.rotated',
  changes?: AuditChanges,
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'workspace', id: workspaceId }], changes });
}
