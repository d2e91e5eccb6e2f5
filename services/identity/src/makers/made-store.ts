import { sessionLease } from '@parley/contracts/subjects';
import { reads } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ApiKeyTable, MemberTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const byMaker = acrossWorkspaces('a key makes things in each of its workspaces');

/** Returns the invitations of a maker that nobody has accepted, locked. `workspaceId`: only of this workspace. */
export async function lockInvitationsMadeBy(
  trx: Db,
  { id, workspaceId }: { id: string; workspaceId?: string },
): Promise<Pick<Selectable<MemberTable>, 'id' | 'workspaceId' | 'personId' | 'role' | 'personalData'>[]> {
  return trx
    .selectFrom('member')
    .where('invitedBy', '=', id)
    .where('personId', 'is', null)
    .where(sql<boolean>`coalesce(workspace_id = ${workspaceId ?? null}::uuid, true)`)
    .orderBy('id')
    .select(['id', 'workspaceId', 'personId', 'role', 'personalData'])
    .forUpdate()
    .modifyEnd(byMaker)
    .execute();
}

/** As `lockInvitationsMadeBy`, for the keys of a maker that are not revoked. */
export async function lockKeysMadeBy(
  trx: Db,
  { id, workspaceId }: { id: string; workspaceId?: string },
): Promise<Pick<Selectable<ApiKeyTable>, 'apiKey' | 'homeWorkspaceId' | 'scopes' | 'expiresAt'>[]> {
  return trx
    .selectFrom('apiKey')
    .where('createdBy', '=', id)
    .where('revokedAt', 'is', null)
    .where(sql<boolean>`coalesce(home_workspace_id = ${workspaceId ?? null}::uuid, true)`)
    .orderBy('apiKey')
    .select(['apiKey', 'homeWorkspaceId', 'scopes', 'expiresAt'])
    .forNoKeyUpdate()
    .modifyEnd(byMaker)
    .execute();
}

/**
 * Returns the credentials, as leases name them, that a gateway may have cached: the key `makerId` itself, the revoked
 * keys that it or such a key has made, and the sessions of the revoked portal links of all of them.
 */
export async function listLeasedCredentials(db: Db, makerId: string): Promise<string[]> {
  const { rows } = await sql<{ credential: string }>`
    ${byMaker}
    with recursive maker (id) as (
      select ${makerId}::text collate "C"
      union
      select k.api_key from maker m join api_key k on k.created_by = m.id where k.revoked_at is not null
    ), ended (credential) as (
      select id from maker
      union all
      select ${sessionLease('')}::text || s.id
      from maker m
      join portal_link l on l.created_by = m.id collate "default" and l.revoked_at is not null
      join person_session s on s.portal_link_id = l.id
    )
    select credential from ended where exists (
      select from credential_lease where api_key = credential and expires_at > now())`.execute(reads(db));
  return rows.map(({ credential }) => credential);
}
