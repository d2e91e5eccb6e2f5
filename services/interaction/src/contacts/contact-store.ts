import { tableOf } from '@parley/postgres/sql/arrays';
import { reads } from '@parley/postgres/sql/dialect';
import type { FencedCustomer } from '@parley/postgres/fence';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { type Contact, daysCounted, type Limits } from './contact-policy.ts';

type Db = Kysely<Tables>;

/**
 * SQL for when a row of `interaction` was offered; null if it was not, and for tests. Rows from before the column have
 * it from what they are. An import has it if it was offered later.
 */
export const offeredAt = sql`(case when not is_test then coalesce(offered_at,
  case when not is_import then coalesce(started_at, case when status = 'Pending' then created_at end) end) end)`;

/**
 * Locks the contacts of customers until the end of the transaction, in the order of the locks to avoid a deadlock. What
 * others have offered meanwhile is visible to the next statement.
 */
export async function lockContacts(
  trx: Db,
  workspaceId: string,
  customerIds: readonly string[],
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(${workspaceId}::text || id, 1) as key
      from unnest(${customerIds}::text[]) as id order by key
    ) as keys`.execute(trx);
}

/** Returns the contacts of customers in the days that count, by customer. Deleted interactions count. */
export async function listContacts(
  db: Db,
  { workspaceId, except = null }: { workspaceId: string; except?: string | null },
  customerIds: readonly string[],
  limits: Limits,
): Promise<Map<string, Contact[]>> {
  const since = sql`now() - make_interval(days => ${daysCounted(limits)}::int)`;
  const ids = tableOf('customer', customerIds, { id: ['text', (id) => id] });
  const contactsIn = (table: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`
    select customer_id, bot_id, ${at} as at from ${table}
    where workspace_id = ${workspaceId} and customer_id in (select customer.id from ${ids})
      and ${at} > ${since} and (${except}::uuid is null or id <> ${except}::uuid)`;
  const { rows } = await sql<Contact & Pick<FencedCustomer, 'customerId'>>`
    ${contactsIn(sql`interaction`, offeredAt)} union all ${contactsIn(sql`past_contact`, sql`offered_at`)}`.execute(
    db.isTransaction ? db : reads(db),
  );
  const contacts = new Map<string, Contact[]>();
  for (const { customerId, ...contact } of rows)
    contacts.set(customerId, [...(contacts.get(customerId) ?? []), contact]);
  return contacts;
}
