import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { lockDue } from './due-work.ts';
import { acrossWorkspaces } from './sql/across-workspaces.ts';
import { tableOf } from './sql/arrays.ts';
import { reads } from './sql/dialect.ts';

export interface FencedCustomer {
  workspaceId: string;
  customerId: string;
}

/** How long a fence keeps the customer's id after it was raised. Then it has a keyed hash (docs/decisions/0039). */
const plainHours = 24;

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

/** SQL for what `hashed_fence` has instead of the customer's id. Each schema has a secret of its own. */
const hashOf = (workspaceId: string, customerId: string) =>
  sql.raw(
    `sha256((select secret from fence_secret) || uuid_send(${workspaceId}) || convert_to(${customerId}, 'UTF8'))`,
  );

/**
 * Lets fences forget the ids of their customers, for a later migration than `createFence`. Replicas of an earlier
 * release call the replaced functions, and read `fence` itself, where each id stays for a day. The migration fills no
 * row: `hashOldFences` moves the fences from before, too.
 */
export async function createHashedFences<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`alter table fence add column raised_at timestamptz not null default now()`.execute(db);
  await sql`create index on fence (raised_at)`.execute(db);
  await sql`
    create table hashed_fence (
      workspace_id uuid not null,
      customer_hash bytea not null,
      version int not null,
      primary key (workspace_id, customer_hash)
    )`.execute(db);
  await sql`create table fence_secret (secret bytea not null)`.execute(db);
  await sql`insert into fence_secret values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))`.execute(
    db,
  );
  // In one statement: `hashOldFences` may move the fence meanwhile.
  const version = sql`coalesce(greatest(
    (select fence.version from fence where fence.workspace_id = of_workspace and fence.customer_id = of_customer),
    (select hashed.version from hashed_fence as hashed
      where hashed.workspace_id = of_workspace and hashed.customer_hash = ${hashOf('of_workspace', 'of_customer')})), 0)`;
  await sql`
    create function fence_version(of_workspace uuid, of_customer text) returns int language plpgsql stable as $$
    begin
      return ${version};
    end $$`.execute(db);
  await sql`
    create or replace function raise_fence(of_workspace uuid, of_customer text, to_version int) returns void
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(fence_key(of_workspace, of_customer));
      insert into fence as raised (workspace_id, customer_id, version)
      select of_workspace, of_customer, to_version where ${version} < to_version
      on conflict (workspace_id, customer_id) do update
        set version = excluded.version, raised_at = excluded.raised_at where raised.version < excluded.version;
    end $$`.execute(db);
  await sql`
    create or replace function hold_fence(of_workspace uuid, of_customer text, out version int)
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(fence_key(of_workspace, of_customer));
      version := ${version};
    end $$`.execute(db);
  await sql`
    create or replace function try_to_hold_fence(of_workspace uuid, of_customer text, out version int)
    language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock_shared(fence_key(of_workspace, of_customer)) then return; end if;
      version := ${version};
    end $$`.execute(db);
}

/** Replaces the ids in a batch of fences that are a day old by hashes. Returns whether there may be more. */
export async function hashOldFences<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const isDue = sql`raised_at < now() - make_interval(hours => ${plainHours})`;
  const due = { table: 'fence', isDue, limit: 1_000 };
  const { rows } = await sql`
    ${acrossWorkspaces('a change by age')}
    with old as (
      delete from fence where ctid = ${lockDue(due)} returning workspace_id, customer_id, version
    ), hashed as (
      insert into hashed_fence as hashed (workspace_id, customer_hash, version)
      select workspace_id, ${hashOf('workspace_id', 'customer_id')}, version from old
      on conflict (workspace_id, customer_hash) do update set version = greatest(hashed.version, excluded.version)
    )
    select from old`.execute(db);
  return rows.length === due.limit;
}

/** SQL for the version of the customer's fence; 0 without a fence. */
export function fenceVersion({ workspaceId, customerId }: FencedCustomer): RawBuilder<number> {
  return sql<number>`fence_version(${workspaceId}::uuid, ${customerId}::text)`;
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
    where fence_version(${workspaceId}::uuid, wanted.customer_id) < wanted.version`.execute(reads(db));
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
