import { auditInsert, auditParameter, type AuditRow } from '@parley/audit/rows';
import { Customer } from '@parley/contracts/customer/v1/customer';
import { type DetailName, detailNames, type Details, noDetails } from '@parley/contracts/customer-details';
import { scans } from '@parley/postgres/sql/dialect';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { anyRowOf, hiddenFromPlanner } from '@parley/postgres/sql/hidden-from-planner';
import { tableOf } from '@parley/postgres/sql/arrays';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { AppError } from '@parley/runtime/errors';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const fields = fieldsOf(Customer);

const returned = sql.join(fields.map((field) => sql.ref(field)));

/** How many index entries a page may skip as a small read. */
const offsetMax = 1_000;

/**
 * SQL for the item `deletion` of a FROM clause. Its `version` is the last deletion of an earlier customer with this id;
 * 0 without a deletion. A new customer has a later version. Waits for a deletion that is being committed.
 */
function lastDeletion(workspaceId: string, id: string | RawBuilder<unknown>) {
  return sql`hold_fence(${workspaceId}::uuid, ${id}::text) as deletion`;
}

/** Throws ALREADY_EXISTS `customer-exists` when the id is taken. */
export async function insertCustomer(
  db: Db,
  workspaceId: string,
  customer: Omit<Customer, 'version'>,
): Promise<Customer> {
  const details = sql.join(detailNames.map((column) => sql.ref(column)));
  const given = sql.join(detailNames.map((column) => sql`${customer[column]}`));
  // Postgres would log a unique violation, with the id.
  const { rows } = await sql<Customer>`
    insert into customer (workspace_id, id, ${details}, version, deleted_version)
    select ${workspaceId}, ${customer.id}, ${given}, deletion.version + 1, nullif(deletion.version, 0)
    from ${lastDeletion(workspaceId, customer.id)}
    on conflict (workspace_id, id) do nothing
    returning ${returned}`.execute(db);
  const [made] = rows;
  if (made) return made;
  throw new AppError('already_exists', 'customer-exists', 'A customer with this id exists already');
}

/**
 * Inserts customers, with the rows about them in the audit log. Returns an existing one, without a row, instead of one
 * that a concurrent call inserted first. No id may repeat.
 */
export async function insertMissing(
  db: Db,
  workspaceId: string,
  customers: readonly GivenCustomer[],
  audited: readonly AuditRow[],
): Promise<Customer[]> {
  const details = sql.join(detailNames.map((column) => sql.ref(column)));
  // The update has no effect, so that an existing row is returned. Only an inserted one has no xmax. Concurrent calls
  // lock fences and rows in the same order.
  const { rows } = await sql<Customer>`
    with made as (
      insert into customer (workspace_id, id, ${details}, version, deleted_version)
      select ${workspaceId}, id, ${details}, deletion.version + 1, nullif(deletion.version, 0)
      from (select * from ${tableOfGiven(customers, noDetails)} order by id collate "C") as missing,
        ${lastDeletion(workspaceId, sql.ref('missing.id'))}
      on conflict (workspace_id, id) do update set id = excluded.id
      returning ${returned}, xmax = 0 as is_new
    ), audited as (${auditInsert(auditParameter(audited), isNew)})
    select ${returned} from made`.execute(db);
  return rows;
}

const isNew = sql`exists (select from made where is_new and made.id = entry.targets -> 0 ->> 'id')`;

const selectCustomer = prepared((db: Db, key: Placeholders<{ workspaceId: string; id: string }>) =>
  db
    .selectFrom('customer')
    .where('workspaceId', '=', key.workspaceId)
    .where('id', '=', key.id)
    .select(fields),
);

export async function findCustomer(db: Db, workspaceId: string, id: string): Promise<Customer | undefined> {
  const [customer] = await selectCustomer(db, { workspaceId, id });
  return customer;
}

/** Returns the customers that exist, oldest first. */
export async function findCustomers(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Customer[]> {
  return db
    .selectFrom('customer')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .orderBy('createdAt')
    .orderBy('id')
    .select(fields)
    .execute();
}

/**
 * Returns a page of `total` customers, oldest first. Finds the page with the index on (workspace_id, created_at, id)
 * alone, from the nearer end of the list, so the last page costs as much as the first. A page past the last is empty
 * without a read.
 */
export async function listCustomers(
  db: Db,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
  total: number,
): Promise<Customer[]> {
  const rowsLeft = Math.min(limit, total - offset);
  if (rowsLeft <= 0) return [];
  const isNearEnd = offset > total / 2;
  const direction = isNearEnd ? 'desc' : 'asc';
  // Customers created since `total` was read shift positions that are counted from the end.
  const offsetFromEnd = sql<number>`(
      select greatest(sum(n) - ${offset + rowsLeft}::bigint, 0)::bigint
      from customer_count where workspace_id = ${workspaceId})`;
  const ids = db
    .selectFrom('customer')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt', direction)
    .orderBy('id', direction)
    .limit(hiddenFromPlanner(rowsLeft, 'bigint'))
    .offset(isNearEnd ? offsetFromEnd : hiddenFromPlanner(offset, 'bigint'));
  const isDeep = Math.min(offset, total - offset) > offsetMax;
  return (isDeep ? scans(db) : db)
    .selectFrom('customer')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', anyRowOf(ids))
    .orderBy('createdAt')
    .orderBy('id')
    .select(fields)
    .execute();
}

/** Returns the exact number of customers: the stored counts. */
export async function countCustomers(db: Db, workspaceId: string): Promise<number> {
  const { total } = await db
    .selectFrom('customerCount')
    .where('workspaceId', '=', workspaceId)
    .select(sql<number>`coalesce(sum(n), 0)::bigint`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Details to set; the others stay as they are. */
export type GivenDetails = { [Name in DetailName]?: string | null | undefined };

export type GivenCustomer = GivenDetails & { id: string };

/** Returns the columns of an update that sets the details which are not null. The version rises if they differ. */
function changeTo(given: (column: DetailName) => RawBuilder<unknown>) {
  const current = (column: DetailName) => sql.ref(`customer.${column}`);
  const changed = detailNames.map((column) => sql`coalesce(${given(column)}, ${current(column)})`);
  const isChange = sql`(${sql.join(changed)}) is distinct from (${sql.join(detailNames.map(current))})`;
  return {
    ...Object.fromEntries(detailNames.map((column, n) => [column, changed[n]])),
    version: sql<number>`customer.version + (${isChange})::int`,
  };
}

export async function lockCustomer(trx: Db, workspaceId: string, id: string): Promise<Customer | undefined> {
  return trx
    .selectFrom('customer')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select(fields)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Returns the customers that exist, locked until the end of the transaction. */
export async function lockCustomers(
  trx: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Customer[]> {
  // Concurrent calls lock rows in the same order.
  return trx
    .selectFrom('customer')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .orderBy('id')
    .select(fields)
    .forNoKeyUpdate()
    .execute();
}

/** Updates the details that are given, of a customer that exists. The version rises if they differ. */
export async function updateCustomer(
  trx: Db,
  workspaceId: string,
  id: string,
  details: GivenDetails,
): Promise<Customer> {
  return trx
    .updateTable('customer')
    .set(changeTo((column) => sql`${details[column] ?? null}`))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow();
}

/**
 * Updates the details of several customers as `updateCustomer` does, and returns the customers that exist. No id may
 * repeat. The rows must be locked: see `lockCustomers`.
 */
export async function updateCustomers(
  trx: Db,
  workspaceId: string,
  customers: readonly GivenCustomer[],
): Promise<Customer[]> {
  const set = Object.entries(changeTo((column) => sql.ref(`given.${column}`))).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  const { rows } = await sql<Customer>`
    update customer set ${sql.join(set)}
    from ${tableOfGiven(customers)}
    where customer.workspace_id = ${workspaceId} and customer.id = given.id
    returning ${sql.join(fields.map((field) => sql.ref(`customer.${field}`)))}`.execute(trx);
  return rows;
}

/** Returns SQL for a table `given` of customers. A detail that is not given comes from `absent`, or is null. */
function tableOfGiven(customers: readonly GivenCustomer[], absent?: Details): RawBuilder<unknown> {
  return tableOf<GivenCustomer>('given', customers, {
    id: ['text', ({ id }) => id],
    ...Object.fromEntries(
      detailNames.map((column) => [
        column,
        ['text', (customer: GivenCustomer) => customer[column] ?? absent?.[column] ?? null],
      ]),
    ),
  });
}
