import {
  auditInsert,
  auditParameter,
  type AuditedAction,
  type AuditRow,
  auditRows,
} from '@parley/audit/rows';
import { eventColumns, eventRows, eventTable, type NewEvent } from '@parley/events/log';
import { batched } from '@parley/postgres/connecting/batched';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { type InteractionChange, type InteractionRow, interactionColumns } from '../interactions/store.ts';

/** An interaction to insert. */
export type NewInteraction = Omit<
  InteractionRow,
  'version' | 'linkVersion' | 'redactedVersion' | 'updatedAt'
> &
  Pick<InteractionChange, 'modelDueAt' | 'modelTraceparent'>;

/** An interaction to insert, with its events. */
export interface Creation {
  row: NewInteraction;
  /** The version of the customer whose details are in the row. */
  customerVersion: number;
  events: readonly NewEvent[];
}

/** A creation with the rows about it in the audit log. */
type AuditedCreation = Creation & { audited: readonly AuditRow[] };

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
  const audited = creations.map((creation) => ({ ...creation, audited: auditRows(actionOf(creation)) }));
  const rows = db.isTransaction
    ? await insertAll(db, audited, sql`try_to_hold_fence`)
    : await Promise.all(audited.map((creation) => insertInBatch(db, creation)));
  for (const [index, creation] of audited.entries()) {
    if (rows[index]) continue;
    const [afterFence] = await insertAll(db, [creation], sql`hold_fence`);
    rows[index] = afterFence;
  }
  return rows;
}

function actionOf({ row: { workspaceId, id, customerId } }: Creation): AuditedAction {
  const targets = [
    { type: 'interaction', id },
    { type: 'customer', id: customerId },
  ];
  return { workspaceId, action: 'interaction.created', targets };
}

const insertInBatch = batched((db: Kysely<Tables>, creations: readonly AuditedCreation[]) =>
  insertAll(db, creations, sql`try_to_hold_fence`),
);

async function insertAll(
  db: Kysely<Tables>,
  creations: readonly AuditedCreation[],
  holdFence: RawBuilder<unknown>,
): Promise<(InteractionRow | undefined)[]> {
  const rows = creations.map(({ row }) => row);
  const events = creations.flatMap(({ events }) => events);
  const audited = auditParameter(creations.flatMap(({ audited }) => audited));
  const { rows: written } = await sql<InteractionRow>`
    with new as (
      select * from unnest(
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.workspaceId)}::uuid[],
        ${rows.map((row) => row.customerId)}::text[],
        ${creations.map((creation) => creation.customerVersion)}::int[],
        ${rows.map((row) => row.botId)}::uuid[],
        ${rows.map((row) => row.botVersion)}::int[],
        ${rows.map((row) => row.status)}::text[],
        ${rows.map((row) => row.priority)}::text[],
        ${rows.map((row) => row.type)}::text[],
        ${rows.map((row) => row.typeLabel)}::text[],
        ${rows.map((row) => jsonOf(row.context))}::json[],
        ${rows.map((row) => row.expiresAt)}::timestamptz[],
        ${rows.map((row) => row.createdAt)}::timestamptz[],
        ${rows.map((row) => jsonOf(row.state))}::json[],
        ${rows.map((row) => jsonOf(row.transcript))}::json[],
        ${rows.map((row) => jsonOf(row.evaluation))}::json[],
        ${rows.map((row) => row.seq)}::int[],
        ${rows.map((row) => row.startedAt)}::timestamptz[],
        ${rows.map((row) => row.completedAt)}::timestamptz[],
        ${rows.map((row) => row.stallsAt)}::timestamptz[],
        ${rows.map((row) => row.modelDueAt ?? null)}::timestamptz[],
        ${rows.map((row) => row.modelTraceparent ?? null)}::text[]
      ) as new (id, workspace_id, customer_id, customer_version, bot_id, bot_version, status, priority, type, type_label,
        context, expires_at, created_at, state, transcript, evaluation, seq, started_at, completed_at, stalls_at,
        model_due_at, model_traceparent)
    ), written as (
      insert into interaction (id, workspace_id, customer_id, bot_id, bot_version, status, priority, type, type_label,
        context, expires_at, created_at, state, transcript, evaluation, seq, started_at, completed_at, stalls_at,
        model_due_at, model_traceparent, is_import, fence_version)
      select new.id, new.workspace_id, new.customer_id, new.bot_id, new.bot_version, new.status, new.priority, new.type,
        new.type_label, new.context, new.expires_at, new.created_at, new.state, new.transcript, new.evaluation, new.seq,
        new.started_at, new.completed_at, new.stalls_at, new.model_due_at, new.model_traceparent,
        new.started_at is null and new.status in ('Completed', 'Expired'), fence.version
      -- Held until the commit, so that the fence cannot rise between this check and the insert.
      from new, ${holdFence}(new.workspace_id, new.customer_id) as fence
      where fence.version <= new.customer_version
      returning ${columns}
    ), raised as (
      insert into event_log (${eventNames})
      select ${sql.join(eventColumns.map((column) => sql.ref(`event.${column}`)))}
      from ${eventTable(eventRows(events))} as event join written on written.id::text = event.about
    ), audited as (${auditInsert(audited, isWritten)})
    select * from written`.execute(db);
  const byId = new Map(written.map((row) => [row.id, row]));
  return rows.map(({ id }) => byId.get(id));
}

const isWritten = sql`exists (select from written where written.id::text = entry.targets -> 0 ->> 'id')`;

const eventNames = sql.join(eventColumns.map((column) => sql.ref(column)));

const columns = sql.join(interactionColumns.map((column) => sql.ref(column)));

function jsonOf(value: object | null): string | null {
  return value && JSON.stringify(value);
}
