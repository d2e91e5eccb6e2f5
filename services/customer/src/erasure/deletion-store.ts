import { fenceVersion, lockFence, raiseFence } from '@parley/postgres/fence';
import { forgottenAnswer } from '@parley/postgres/idempotency';
import { anonymousForm, anonymousPrefix } from '@parley/contracts/customer-id';
import { scans } from '@parley/postgres/sql/dialect';
import { requireUnchanged } from '@parley/runtime/errors';
import { type Kysely, sql } from 'kysely';
import { type Begun, type CustomerKey, lockCustomer, requireNoDeletion } from './anonymisation-store.ts';
import { auditCustomer } from '../auditing.ts';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

interface Deletion {
  ifVersion: number | null;
  requestedBy: string;
  /** Whether what belongs to the id is deleted again, also without a row: a restore may have brought it back. */
  isRepeated?: boolean;
}

/**
 * Deletes the customer's row and the answers that are stored for replays, and writes the job that deletes the rest. An
 * anonymisation under way becomes this deletion: it keeps its erasure, which is then requested by this call. Returns
 * undefined when there is no such customer. If a call with the same `ifVersion` has deleted it, returns the erasure of
 * that call. ABORTED when its version is not `ifVersion`. UNAVAILABLE while an earlier customer of this id is being
 * deleted.
 */
export async function beginDeletion(
  db: Db,
  { workspaceId, customerId }: CustomerKey,
  { ifVersion, requestedBy, isRepeated = false }: Deletion,
): Promise<Begun | undefined> {
  const key = { workspaceId, customerId };
  return db.transaction().execute(async (trx) => {
    // Before the row: a call that creates the customer holds the fence when it waits for the row.
    await lockFence(trx, key);
    const customer = await lockCustomer(trx, key);
    if (!customer && !isRepeated) return ifVersion === null ? undefined : findBegun(trx, key, ifVersion);
    requireUnchanged(customer?.version, ifVersion);
    await requireNoDeletion(trx, key);
    const version = (customer?.version ?? (await fencedVersion(trx, key))) + 1;
    await raiseFence(trx, key, version);
    const { rows } = await sql<Begun>`
      with deleted as (
        delete from customer where workspace_id = ${workspaceId} and id = ${customerId}
      ), forgotten as (
        update idempotency_record set ${forgottenAnswer}
        where workspace_id = ${workspaceId} and subject = ${customerId}
      )
      insert into anonymisation (workspace_id, customer_id, kind, requested_by, version, first_version, details,
        asked_again, removed_customers)
      values (${workspaceId}, ${customerId}, 'deletion', ${requestedBy}, ${version}, ${version}, '{}', false, ${customer ? 1 : 0})
      on conflict (workspace_id, customer_id) do update set
        kind = 'deletion', requested_by = excluded.requested_by, version = excluded.version,
        first_version = excluded.version, details = '{}', asked_again = false, page_token = '', due_at = now(),
        removed_customers = excluded.removed_customers, removed_interactions = 0, removed_events = 0
      returning workspace_id, customer_id, erasure_id, version, asked_again`.execute(trx);
    await auditCustomer(trx, workspaceId, customerId, 'customer.deleted');
    return rows[0];
  });
}

/** Returns ids of customers of open links. */
export async function listAnonymous(db: Db, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await scans(db)
    .selectFrom('customer')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    // A range of the key.
    .where('id', '>=', anonymousPrefix)
    .where('id', '<', `${anonymousPrefix}~`)
    .where('id', '~', anonymousForm)
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the version of a customer without a row, whose fence is locked. */
async function fencedVersion(trx: Db, key: CustomerKey): Promise<number> {
  const { rows } = await sql<{ version: number }>`select ${fenceVersion(key)} as version`.execute(trx);
  return rows[0]?.version ?? 0;
}

/** Returns the deletion of this version, also a finished one. The customer's fence is locked, and there is no row. */
async function findBegun(trx: Db, key: CustomerKey, deletedVersion: number): Promise<Begun | undefined> {
  const { workspaceId, customerId } = key;
  const { rows } = await sql<{ erasureId: string }>`
    select erasure.id as erasure_id from erasure
    where erasure.workspace_id = ${workspaceId} and erasure.customer_id = ${customerId}
      and kind = 'deletion' and ${fenceVersion(key)} - 1 = ${deletedVersion}
    order by erasure.id desc limit 1`.execute(trx);
  return rows[0] && { ...key, ...rows[0], version: deletedVersion + 1, askedAgain: false };
}
