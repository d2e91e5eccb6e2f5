import { sessionLease } from '@parley/contracts/subjects';
import { reads } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ApiKeyTable, CredentialLeaseTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;
type Compared = Pick<Selectable<ApiKeyTable>, 'apiKey' | 'version'>;

export interface Lease extends Pick<CredentialLeaseTable, 'holder'> {
  remainingMs: number;
}

/**
 * Inserts a lease of `leaseMs`. Returns false, without a lease, when the key's row has changed since it was compared,
 * or the key has expired.
 * The row lock orders this with a change of the row: a lease is committed before the change, which then finds it in
 * `listLeases`, or is not granted.
 */
export async function insertLease(
  db: Db,
  { apiKey, version }: Compared,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const credential = sql`api_key`;
  return insertIf(
    db,
    { credential, holder, leaseMs },
    sql`
    api_key where api_key = ${apiKey} and version = ${version} and revoked_at is null
      and (expires_at is null or expires_at > now())`,
  );
}

/**
 * As `insertLease`, for a session whose person has the version. The locks also order this with a sign-out, and with
 * each change of a membership, which raises the version. The person is locked first, as in such a change.
 */
export async function insertSessionLease(
  db: Db,
  { sessionId, version }: { sessionId: string; version: number },
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const credential = sql`${sessionLease(sessionId)}`;
  return insertIf(
    db,
    { credential, holder, leaseMs },
    sql`
    person p join person_session s on s.person_id = p.id
    where s.id = ${sessionId}::uuid and s.ended_at is null and s.expires_at > now() and p.version = ${version}`,
  );
}

/** As `insertSessionLease`, for a session of the portal. The link is locked first, as when it is revoked. */
export async function insertPortalLease(
  db: Db,
  sessionId: string,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const credential = sql`${sessionLease(sessionId)}`;
  return insertIf(
    db,
    { credential, holder, leaseMs },
    sql`
    portal_link l join person_session s on s.portal_link_id = l.id
    where s.id = ${sessionId}::uuid and s.ended_at is null and s.expires_at > now() and l.revoked_at is null`,
  );
}

/** Inserts a lease if the row that permits it exists. Locks that row. Returns whether there is a lease. */
async function insertIf(
  db: Db,
  { credential, holder, leaseMs }: { credential: RawBuilder<unknown>; holder: string; leaseMs: number },
  permit: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${acrossWorkspaces('the key of a lease was authenticated before')}
    insert into credential_lease as lease (api_key, holder, expires_at)
    select ${credential}, ${holder}::uuid, now() + ${leaseMs}::int * interval '1 ms'
    from ${permit}
    for share
    on conflict (api_key, holder) do update set expires_at = greatest(lease.expires_at, excluded.expires_at)`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Returns the leases on a credential, an API key or `sessionLease`, that have not expired. */
export async function listLeases(db: Db, credential: string): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    ${acrossWorkspaces('the caller has found the key of the leases')}
    select holder, ceil(extract(epoch from expires_at - now()) * 1000)::float8 as remaining_ms
    from credential_lease where api_key = ${credential} and expires_at > now()`.execute(reads(db));
  return rows;
}

export async function deleteExpiredLeases(db: Db): Promise<void> {
  await sql`
    ${acrossWorkspaces('a purge by age')}
    delete from credential_lease where expires_at < now()`.execute(db);
}
