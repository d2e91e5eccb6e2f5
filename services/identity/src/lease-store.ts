import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ApiKeyTable, CredentialLeaseTable, Tables } from './schema.ts';

type Db = Kysely<Tables>;
type Compared = Pick<Selectable<ApiKeyTable>, 'apiKey' | 'version'>;

/** A lease, and for how long it goes on. */
export interface Lease extends Pick<CredentialLeaseTable, 'holder'> {
  remainingMs: number;
}

/**
 * Writes down that the holder may rely on the key for `leaseMs`. False, and nothing is written, when the row is no longer
 * the one that was compared. The lock orders it with a change of that row: either the lease is committed before the
 * change is, and whoever lists leases after the change sees it, or the change comes first and there is no lease.
 */
export async function insertLease(
  db: Db,
  { apiKey, version }: Compared,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${acrossWorkspaces('a lease is of a key that has just proved itself')}
    insert into credential_lease as lease (api_key, holder, expires_at)
    select api_key, ${holder}::uuid, now() + ${leaseMs}::int * interval '1 ms'
    from api_key where api_key = ${apiKey} and version = ${version} and revoked_at is null
    for share
    on conflict (api_key, holder) do update set expires_at = greatest(lease.expires_at, excluded.expires_at)`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** The leases on a key that go on. */
export async function listLeases(db: Db, apiKey: string): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    ${acrossWorkspaces('leases are of a key, which the caller has found')}
    select holder, ceil(extract(epoch from expires_at - now()) * 1000)::float8 as remaining_ms
    from credential_lease where api_key = ${apiKey} and expires_at > now()`.execute(db);
  return rows;
}

/** Deletes the leases that have ended: what is left is a row for each key in use and holder. */
export async function deleteEndedLeases(db: Db): Promise<void> {
  await sql`
    ${acrossWorkspaces('a purge by age')}
    delete from credential_lease where expires_at < now()`.execute(db);
}
