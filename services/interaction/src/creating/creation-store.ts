import {
  auditInsert,
  auditParameter,
  type AuditedAction,
  type AuditRow,
  auditRows,
} from '@parley/audit/rows';
import { eventColumns, eventRows, eventTable, type NewEvent } from '@parley/events/log';
import { batched } from '@parley/postgres/connecting/batched';
import { type Columns, tableOf } from '@parley/postgres/sql/arrays';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Offer } from '../contacts/offering.ts';
import type { Tables } from '../schema.ts';
import { columnsOf, createdColumns, createdValues, sizeOf, type Values } from '../interactions/columns.ts';
import { type Availability, nextDueAt } from '../interactions/availability.ts';
import { type InteractionRow, interactionColumns, type NewInteraction } from '../interactions/store.ts';

export interface Creation {
  row: NewInteraction;
  /** The version of the customer whose details are in the row. */
  customerVersion: number;
  events: readonly NewEvent[];
  /** Undefined if it offers nothing, or its workspace has no contact policy. */
  offer?: Offer | undefined;
  /** Undefined if nothing is due later. */
  availability?: Availability | undefined;
}

type PreparedCreation = Creation & { values: Values; audited: readonly AuditRow[] };

/**
 * Inserts interactions with their events, and returns their rows in order. A row is undefined when the customer was
 * anonymised after it was read: read it again. Sessions from before an anonymisation cannot see the interactions.
 * Concurrent creations form a batch; in a transaction, these alone. One whose customer is being anonymised waits on its
 * own.
 */
export async function insertInteractions(
  db: Kysely<Tables>,
  creations: readonly Creation[],
): Promise<(InteractionRow | undefined)[]> {
  // Here, because a batch belongs to no call.
  const prepared = creations.map((creation) => ({
    ...creation,
    values: createdValues(creation.row),
    audited: auditRows(actionOf(creation)),
  }));
  const rows = db.isTransaction
    ? await insertAll(db, prepared, sql`try_to_hold_fence`)
    : await Promise.all(prepared.map((creation) => insertInBatch(db, creation)));
  for (const [index, creation] of prepared.entries()) {
    if (rows[index]) continue;
    const [afterFence] = await insertAll(db, [creation], sql`hold_fence`);
    rows[index] = afterFence;
  }
  return rows;
}

function actionOf({ row: { workspaceId, id, customerId }, offer }: Creation): AuditedAction {
  const targets = [
    { type: 'interaction', id },
    { type: 'customer', id: customerId },
  ];
  const created: AuditedAction = { workspaceId, action: 'interaction.created', targets };
  return offer?.isForced ? { ...created, changes: { ignoreContactPolicy: [null, true] } } : created;
}

const insertInBatch = batched(
  (db: Kysely<Tables>, creations: readonly PreparedCreation[]) =>
    insertAll(db, creations, sql`try_to_hold_fence`),
  ({ values }) => sizeOf(values),
);

async function insertAll(
  db: Kysely<Tables>,
  creations: readonly PreparedCreation[],
  holdFence: RawBuilder<unknown>,
): Promise<(InteractionRow | undefined)[]> {
  const rows = creations.map(({ row }) => row);
  const events = creations.flatMap(({ events }) => events);
  const audited = auditParameter(creations.flatMap(({ audited }) => audited));
  const { rows: written } = await sql<InteractionRow>`
    with new as (
      select * from ${tableOf('new', creations, given)}
    ), written as (
      insert into interaction (${inserted()}, is_import, fence_version)
      select ${inserted('new.')},
        new.started_at is null and new.status in ('Completed', 'Expired'), fence.version
      -- Held until the commit, so that the fence cannot rise between this check and the insert.
      from new, ${holdFence}(new.workspace_id, new.customer_id) as fence
      where fence.version <= new.customer_version
      returning ${columns}
    ), raised as (
      insert into event_log (${eventNames})
      select ${sql.join(eventColumns.map((column) => sql.ref(`event.${column}`)))}
      from ${eventTable(eventRows(events))} as event join written on written.id::text = event.about
    ), audited as (${auditInsert(audited, isWritten)})${insertAvailability(creations)}
    select * from written`.execute(db);
  const byId = new Map(written.map((row) => [row.id, row]));
  return rows.map(({ id }) => byId.get(id));
}

/** SQL that adds what is due later. Most creations have nothing. */
function insertAvailability(creations: readonly Creation[]): RawBuilder<unknown> {
  const later = creations.flatMap(({ row: { id, workspaceId }, availability }) =>
    availability ? [{ id, workspaceId, ...availability }] : [],
  );
  if (later.length === 0) return sql``;
  const given = tableOf('later', later, {
    interactionId: ['uuid', ({ id }) => id],
    workspaceId: ['uuid', ({ workspaceId }) => workspaceId],
    availableAt: ['timestamptz', ({ availableAt }) => availableAt],
    isAnnouncing: ['boolean', ({ isAnnouncing }) => isAnnouncing],
    reminders: ['text', ({ reminders }) => `{${reminders.join()}}`],
    dueAt: ['timestamptz', nextDueAt],
  });
  return sql`, scheduled as (
      insert into availability (interaction_id, workspace_id, available_at, is_announcing, reminders, due_at)
      select interaction_id, later.workspace_id, available_at, is_announcing, reminders::int[], due_at
      from ${given} join written on written.id = later.interaction_id
    )`;
}

const given: Columns<PreparedCreation> = {
  ...columnsOf<PreparedCreation>(createdColumns),
  customerVersion: ['int', ({ customerVersion }) => customerVersion],
};

const inserted = (table = '') => sql.join(createdColumns.map((column) => sql.ref(table + column)));

const isWritten = sql`exists (select from written where written.id::text = entry.targets -> 0 ->> 'id')`;

const eventNames = sql.join(eventColumns.map((column) => sql.ref(column)));

const columns = sql.join(interactionColumns.map((column) => sql.ref(column)));
