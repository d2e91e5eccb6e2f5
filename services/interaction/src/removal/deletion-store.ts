import { audit, type AuditedAction } from '@parley/audit/rows';
import { interactionDeleted } from '@parley/contracts/events';
import { contactLimits } from '@parley/contracts/limits';
import { insertEvents, newEvent } from '@parley/events/log';
import type { FencedCustomer } from '@parley/postgres/fence';
import { forgottenAnswer } from '@parley/postgres/idempotency';
import { purgeDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { offeredAt } from '../contacts/contact-store.ts';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

/** As long as a contact policy may count. */
const contactsKept = sql`make_interval(days => ${sql.lit(contactLimits.daysMax)})`;

export interface Deleted {
  id: string;
  customerId: string;
  version: number;
}

export interface Deletion {
  workspaceId: string;
  ids: readonly string[];
  /** SQL that is true for the rows of `interaction` to delete. */
  condition?: RawBuilder<boolean>;
  /** The version of the deletion of their customer. Default: 0, for none. */
  customerVersion?: number;
  /** Whether the audit log gets a row for each. */
  isAudited?: boolean;
}

/**
 * Deletes interactions with their conversations and stored answers, and raises an event for each, in one transaction.
 * The rows are the only ones of this service with their data. Returns the interactions that existed.
 */
export async function deleteRows(
  db: Db,
  { workspaceId, ids, condition = sql<boolean>`true`, customerVersion = 0, isAudited = false }: Deletion,
): Promise<Deleted[]> {
  return db.transaction().execute(async (trx) => {
    // The messages go with the rows. Locked in the order of ids to avoid a deadlock.
    const { rows } = await sql<Deleted>`
      with locked as materialized (
        select id from interaction
        where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and ${condition}
        order by id for update
      ), deleted as (
        delete from interaction where workspace_id = ${workspaceId} and id = any(array(select locked.id from locked))
        returning *
      ), noted as (
        insert into deleted_interaction (id, workspace_id, customer_id, customer_version)
        select id, ${workspaceId}, customer_id, ${customerVersion} from deleted
      ), remembered as (
        insert into past_contact (id, workspace_id, customer_id, bot_id, offered_at)
        select id, ${workspaceId}, customer_id, bot_id, least(${offeredAt}, now()) from deleted
        -- A deletion of the customer forgets them.
        where ${customerVersion}::int = 0 and ${offeredAt} > now() - ${contactsKept}
      )
      select id, customer_id, version from deleted order by id`.execute(trx);
    if (rows.length === 0) return rows;
    await sql`
      update idempotency_record set ${forgottenAnswer}
      where workspace_id = ${workspaceId} and subject = any(${rows.map(({ customerId }) => customerId)}::text[])
        and resource_id = any(${rows.map(({ id }) => id)}::text[])`.execute(trx);
    const events = rows.map(({ id: interactionId, customerId }) =>
      newEvent(interactionDeleted, { workspaceId, interactionId, customerId }),
    );
    await insertEvents(trx, events);
    if (isAudited) {
      const actions = rows.map(({ id }): AuditedAction => {
        return { workspaceId, action: 'interaction.deleted', targets: [{ type: 'interaction', id }] };
      });
      await audit(trx, ...actions);
    }
    return rows;
  });
}

/** Forgets when a customer was offered interactions that are deleted. */
export async function deletePastContacts(db: Db, { workspaceId, customerId }: FencedCustomer): Promise<void> {
  await db
    .deleteFrom('pastContact')
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .execute();
}

/** Deletes a page of contacts that no policy counts. Returns true when there may be more. */
export async function purgePastContacts(db: Db): Promise<boolean> {
  const isDue = sql`offered_at < now() - ${contactsKept}`;
  const due = { table: 'past_contact', isDue, orderBy: sql`offered_at`, limit: 1_000 };
  return purgeDue(db, acrossWorkspaces('a purge by age'), due);
}

/** Returns the ids of the oldest test interactions. */
export async function listTests(db: Db, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await scans(db)
    .selectFrom('interaction')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where(sql<boolean>`is_test`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the next ids behind `after` of interactions that a deletion of their customer has deleted. */
export async function listDeletedBy(
  db: Db,
  { workspaceId, customerId, customerVersion }: FencedCustomer & { customerVersion: number },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('deletedInteraction')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .where('customerVersion', '=', customerVersion)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a page of old notes. Returns true when there may be more. */
export async function purgeDeleted(db: Db, daysKept: number): Promise<boolean> {
  const isDue = sql`deleted_at < now() - make_interval(days => ${daysKept})`;
  const due = { table: 'deleted_interaction', isDue, orderBy: sql`deleted_at`, limit: 1_000 };
  return purgeDue(db, acrossWorkspaces('a purge by age'), due);
}
