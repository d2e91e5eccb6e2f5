import { portalScopes, roleScopes } from '@parley/contracts/roles';
import type { Kysely, Selectable } from 'kysely';
import { auditKey, auditMember, auditPortalLinks } from '../auditing.ts';
import { revokeApiKey } from '../keys/key-store.ts';
import type { Leases } from '../leases/leases.ts';
import { listLeasedCredentials, lockInvitationsMadeBy, lockKeysMadeBy } from './made-store.ts';
import { deleteMember } from '../people/member-store.ts';
import { revokeLinksOf } from '../portal/link-store.ts';
import { isLater, type OwnerPower } from '../rules/key-power.ts';
import type { MemberTable, Tables } from '../schema.ts';

/** A key, or a person in one of its workspaces. */
interface Maker {
  /** The API key, or the id of the person. */
  id: string;
  /** Of a person, who keeps all rights in other workspaces. */
  workspaceId?: string;
}

export type PowerLeft = Pick<OwnerPower, 'scopes' | 'expiresAt' | 'isOwner'>;

const nothing: PowerLeft = { scopes: [], expiresAt: null, isOwner: false };

/**
 * Ends what a key or a person has made and could not make any more, in the transaction of the change: portal links,
 * invitations that nobody has accepted, and API keys with all that they have made. The maker is locked, as when it
 * makes something, so it cannot make more meanwhile. See docs/access.md.
 */
export async function endMadeBeyond(
  trx: Kysely<Tables>,
  maker: Maker,
  power: PowerLeft = nothing,
): Promise<void> {
  const { scopes, expiresAt } = power;
  const personalData = [false, true].filter((given) => hasAll(scopes, portalScopes(given)));
  await auditPortalLinks(trx, await revokeLinksOf(trx, maker, { expiresAt, personalData }));
  for (const invitation of await lockInvitationsMadeBy(trx, maker)) {
    if (mayInvite(power, invitation)) continue;
    await deleteMember(trx, invitation.workspaceId, invitation.id);
    await auditMember(trx, 'member.removed', invitation);
  }
  for (const { apiKey, homeWorkspaceId, ...key } of await lockKeysMadeBy(trx, maker)) {
    const isOfPower = scopes.includes('keys:write') && key.scopes && hasAll(scopes, key.scopes);
    if (isOfPower && !isLater(key.expiresAt, expiresAt)) continue;
    await auditKey(trx, 'key.revoked', await revokeApiKey(trx, homeWorkspaceId, apiKey));
    await endMadeBeyond(trx, { id: apiKey });
  }
}

/**
 * Call it after `endMadeBeyond` is committed. Resolves as `Leases.end`, for the maker if it is a key, and for all keys
 * and sessions of the portal that ended with what it could do.
 */
export async function endLeasesOfMade(db: Kysely<Tables>, leases: Leases, makerId: string): Promise<void> {
  const ended = listLeasedCredentials(db, makerId).then((credentials) =>
    Promise.all(credentials.map((credential) => leases.end(credential))),
  );
  await ended.catch((error: unknown) => leases.expire(error));
}

/** Returns whether a maker can do less than before, in scopes, time or with owners. */
export function losesPower(before: PowerLeft, after: PowerLeft): boolean {
  const isLess = !hasAll(after.scopes, before.scopes) || isLater(before.expiresAt, after.expiresAt);
  return isLess || (before.isOwner && !after.isOwner);
}

function mayInvite(
  { scopes, expiresAt, isOwner }: PowerLeft,
  { role, personalData }: Pick<Selectable<MemberTable>, 'role' | 'personalData'>,
): boolean {
  const needed = ['workspace:write', ...roleScopes(role, personalData)];
  return expiresAt === null && hasAll(scopes, needed) && (isOwner || role !== 'owner');
}

function hasAll(scopes: readonly string[], needed: readonly string[]): boolean {
  return needed.every((scope) => scopes.includes(scope));
}
