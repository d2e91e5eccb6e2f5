import { Customer } from '@parley/contracts/customer/v1/customer';
import { fieldsOf } from '@parley/postgres/fields';
import { limits } from '@parley/postgres/page';
import { prepared, type StandIns } from '@parley/postgres/prepared';
import { oneOf, unseen } from '@parley/postgres/unseen';
import { AppError } from '@parley/runtime/errors';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

type Db = Kysely<Tables>;
type Details = Pick<Customer, 'firstName' | 'lastName' | 'email'>;

const fields = fieldsOf(Customer);

/** 409 `customer-exists` when the id is taken. */
export async function insertCustomer(
  db: Db,
  workspaceId: string,
  customer: Omit<Customer, 'version'>,
): Promise<Customer> {
  const made = await db
    .insertInto('customer')
    .values({ ...customer, workspaceId })
    // A unique violation would be an error, with the id, in the log of Postgres.
    .onConflict((conflict) => conflict.columns(['workspaceId', 'id']).doNothing())
    .returning(fields)
    .executeTakeFirst();
  if (made) return made;
  throw new AppError('already_exists', 'customer-exists', 'A customer with this id exists already');
}

/** Inserts a customer with empty details. Returns the existing one instead when a concurrent call inserted it first. */
export async function ensureCustomer(db: Db, workspaceId: string, id: string): Promise<Customer> {
  return (
    db
      .insertInto('customer')
      .values({ workspaceId, id, firstName: '', lastName: '', email: '' })
      // An update of nothing, so that a row which came first is returned.
      .onConflict((conflict) => conflict.columns(['workspaceId', 'id']).doUpdateSet({ id }))
      .returning(fields)
      .executeTakeFirstOrThrow()
  );
}

const selectCustomer = prepared((db: Db, key: StandIns<{ workspaceId: string; id: string }>) =>
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

/** Oldest first. The index on (workspace_id, created_at, id) alone passes over what comes before the page. */
export async function listCustomers(
  db: Db,
  workspaceId: string,
  page: { page: number; pageSize: number } | null,
): Promise<Customer[]> {
  const { limit, offset } = limits(page);
  const ids = db
    .selectFrom('customer')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(unseen(limit, 'bigint'))
    .offset(unseen(offset, 'bigint'));
  return db
    .selectFrom('customer')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', oneOf(ids))
    .orderBy('createdAt')
    .orderBy('id')
    .select(fields)
    .execute();
}

export async function countCustomers(db: Db, workspaceId: string): Promise<number> {
  const { total } = await db
    .selectFrom('customerCount')
    .where('workspaceId', '=', workspaceId)
    .select(sql<number>`coalesce(sum(n), 0)::bigint`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * Undefined when there is no such customer, or when its version is not `ifVersion`. Given details only; the version
 * rises when they are others than before.
 */
export async function updateCustomer(
  db: Db,
  workspaceId: string,
  id: string,
  details: { [Field in keyof Details]?: string | null | undefined },
  ifVersion: number | null | undefined,
): Promise<Customer | undefined> {
  const firstName = sql<string>`coalesce(${details.firstName ?? null}, first_name)`;
  const lastName = sql<string>`coalesce(${details.lastName ?? null}, last_name)`;
  const email = sql<string>`coalesce(${details.email ?? null}, email)`;
  const isChange = sql`(${firstName}, ${lastName}, ${email}) is distinct from (first_name, last_name, email)`;
  return db
    .updateTable('customer')
    .set({ firstName, lastName, email, version: sql`version + (${isChange})::int` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where(sql<boolean>`(${ifVersion ?? null}::int is null or version = ${ifVersion ?? null}::int)`)
    .returning(fields)
    .executeTakeFirst();
}
