import { portalScopes } from '@parley/contracts/roles';
import { sessionLease } from '@parley/contracts/subjects';
import type { Kysely } from 'kysely';
import { auditPortalLinks } from '../auditing.ts';
import type { Leases } from '../leases.ts';
import type { Tables } from '../schema.ts';
import { revokeLinksOf } from './link-store.ts';
import { listLeasedSessionsOf } from './session-store.ts';

/** What a key or a person can still do. Without scopes: nothing. */
interface Power {
  scopes?: readonly string[];
  expiresAt?: Date | null;
}

/**
 * Revokes the links of a key or a person that it could not make any more, in the transaction of a change of it. The
 * maker is locked, as when it makes a link. A person may do the same as before in other workspaces.
 */
export async function revokeLinksBeyond(
  trx: Kysely<Tables>,
  maker: { id: string; workspaceId?: string },
  { scopes = [], expiresAt = null }: Power = {},
): Promise<void> {
  const mayGive = (personalData: boolean): boolean =>
    portalScopes(personalData).every((scope) => scopes.includes(scope));
  const revoked = await revokeLinksOf(trx, maker, {
    expiresAt,
    personalData: [false, true].filter(mayGive),
  });
  await auditPortalLinks(trx, revoked);
}

/**
 * Call it after `revokeLinksBeyond` is committed. Resolves as `Leases.end`, for the sessions of all links of the maker
 * that were revoked.
 */
export async function endLeasesOfLinks(db: Kysely<Tables>, leases: Leases, makerId: string): Promise<void> {
  const ids = await listLeasedSessionsOf(db, makerId).catch(() => undefined);
  if (!ids) return leases.expire();
  await Promise.all(ids.map((id) => leases.end(sessionLease(id))));
}
