import { type Kysely, sql, type Transaction } from 'kysely';
import { reads } from './sql/dialect.ts';
import { tableOf } from './sql/arrays.ts';

export interface FencedCustomer {
  workspaceId: string;
  customerId: string;
}

/** Customers that were anonymised. Key: workspaceId, customerId. */
export interface FenceTable extends FencedCustomer {
  /** Details from before this version of the customer must not be written. */
  version: number;
}

/**
 * Creates the fence between details read before a customer's anonymisation and later writes. A writer of details holds
 * it, shared, until the commit; raising it waits for these writers, and later ones see it. These are functions because
 * each of their statements sees what was committed while it waited for the lock (docs/decisions/0011).
 */
export async function createFence<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table fence (
      workspace_id uuid not null,
      customer_id text collate "C" not null,
      version int not null,
      primary key (workspace_id, customer_id)
    )`.execute(db);
  await sql`
    create function fence_key(of_workspace uuid, of_customer text) returns bigint language sql immutable
    return hashtextextended(of_workspace::text || of_customer, 0)`.execute(db);
  await sql`
    create function raise_fence(of_workspace uuid, of_customer text, to_version int) returns void
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(fence_key(of_workspace, of_customer));
      insert into fence as raised values (of_workspace, of_customer, to_version)
      on conflict (workspace_id, customer_id) do update
        set version = excluded.version where raised.version < excluded.version;
    end $$`.execute(db);
  await sql`
    create function hold_fence(of_workspace uuid, of_customer text, out version int)
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(fence_key(of_workspace, of_customer));
      select fence.version into version from fence
      where fence.workspace_id = of_workspace and fence.customer_id = of_customer;
      version := coalesce(version, 0);
    end $$`.execute(db);
  // For callers that cannot wait: `version` is null while the fence is being raised.
  await sql`
    create function try_to_hold_fence(of_workspace uuid, of_customer text, out version int)
    language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock_shared(fence_key(of_workspace, of_customer)) then return; end if;
      select fence.version into version from fence
      where fence.workspace_id = of_workspace and fence.customer_id = of_customer;
      version := coalesce(version, 0);
    end $$`.execute(db);
}

/**
 * Raises the customer's fence to `version`. Afterwards, no details from before that version are written, and all that
 * were written are committed. A fence never falls.
 */
export async function raiseFence<Tables>(
  db: Kysely<Tables>,
  { workspaceId, customerId }: FencedCustomer,
  version: number,
): Promise<void> {
  // A plain select would share a connection, and this one waits for a lock: the reads there would wait too.
  await sql`
    with raised as materialized (
      select raise_fence(${workspaceId}, ${customerId}, ${version})
    ) select from raised`.execute(db);
}

/** Raises fences that are below a version. Costs nothing without customers, and one read if no fence is below. */
export async function raiseLowFences<Tables>(
  db: Kysely<Tables>,
  workspaceId: string,
  customers: readonly { customerId: string; version: number }[],
): Promise<void> {
  if (customers.length === 0) return;
  const { rows } = await sql<{ customerId: string; version: number }>`
    select wanted.customer_id, wanted.version from ${tableOf('wanted', customers, {
      customerId: ['text', ({ customerId }) => customerId],
      version: ['int', ({ version }) => version],
    })}
    left join fence on fence.workspace_id = ${workspaceId} and fence.customer_id = wanted.customer_id
    where coalesce(fence.version, 0) < wanted.version`.execute(reads(db));
  for (const { customerId, version } of rows) await raiseFence(db, { workspaceId, customerId }, version);
}

/**
 * Waits for the writers that hold the customer's fence, and keeps others out until the end of the transaction. The next
 * statement sees what they have written.
 */
export async function lockFence<Tables>(
  trx: Transaction<Tables>,
  { workspaceId, customerId }: FencedCustomer,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(fence_key(${workspaceId}::uuid, ${customerId}::text))`.execute(trx);
}

/** As `lockFence`, if the lock is free at once. Returns false, without a lock, otherwise. */
export async function tryToLockFence<Tables>(
  trx: Transaction<Tables>,
  { workspaceId, customerId }: FencedCustomer,
): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(fence_key(${workspaceId}::uuid, ${customerId}::text)) as is_locked`.execute(
    trx,
  );
  return rows[0]?.isLocked === true;
}
