import { eventColumns, eventRows, eventTable, type NewEvent } from '@parley/events/log';
import { batched } from '@parley/postgres/connecting/batched';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { arraysOf, type Columns, tableOfArrays } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { changedValues, type ColumnName, columnsOf, sizeOf, type Values } from '../interactions/columns.ts';
import {
  type InteractionChange,
  type InteractionRow,
  interactionColumns,
  isOpenRow,
  type NewMessage,
} from '../interactions/store.ts';
import type { Tables } from '../schema.ts';

/** A change of a row as it was read, with the events that it raises. */
export interface Change {
  before: Pick<InteractionRow, 'id' | 'workspaceId' | 'version'>;
  change: InteractionChange;
  events: readonly NewEvent[];
  message: NewMessage | null;
}

/** The conversation has a message with this `clientMessageId`. Nothing was saved. */
export class DuplicateMessage extends Error {}

/** A change with the values of its columns. */
type Item = Change & { values: Values };

/** Undefined: it is not known whether the change is outdated, because others have the row, or there is none. */
type Saved = InteractionRow | 'duplicate' | 'outdated' | undefined;

/**
 * Saves a change of a row with its events and its message in one statement. Returns undefined when the row has changed
 * since it was read, or it has expired: load it again and decide again. Throws `DuplicateMessage`.
 *
 * Concurrent changes of the same columns form a batch, which waits for no lock. A change whose row is locked by others
 * waits on its own. In a transaction, a change is saved alone.
 */
export async function saveInteraction(db: Kysely<Tables>, item: Change): Promise<InteractionRow | undefined> {
  const prepared = { ...item, values: changedValues(item.change) };
  const { batch, alone } = statementsFor(prepared);
  const inBatch = db.isTransaction ? undefined : await batch(db, prepared);
  const saved = inBatch ?? (await alone(db, [prepared]))[0];
  if (saved === 'duplicate') throw new DuplicateMessage();
  return saved === 'outdated' ? undefined : saved;
}

/** A row that was locked, as it is saved. All else is null for an outdated change and for a duplicate message. */
type SavedRow = InteractionRow & { lockedId: string; isCurrent: boolean };

interface Statements {
  batch: (db: Kysely<Tables>, item: Item) => Promise<Saved>;
  alone: (db: Kysely<Tables>, items: readonly Item[]) => Promise<Saved[]>;
}

/** By the names of the columns that they set: about a dozen. */
const statements = new Map<string, Statements>();

function statementsFor({ values }: Item): Statements {
  const columns = Object.keys(values) as ColumnName[];
  const name = columns.join();
  let found = statements.get(name);
  if (!found) {
    found = {
      batch: batched(saving(columns, lockFree), (item) => sizeOf(item.values)),
      alone: saving(columns, lockCurrent),
    };
    statements.set(name, found);
  }
  return found;
}

/** What a statement is given of each change besides the new values. */
const given = {
  id: ['uuid', ({ before }) => before.id],
  workspaceId: ['uuid', ({ before }) => before.workspaceId],
  beforeVersion: ['int', ({ before }) => before.version],
  clientMessageId: ['text', ({ message }) => message?.clientMessageId ?? null],
  fingerprint: ['bytea', ({ message }) => message?.fingerprint ?? null],
} as const satisfies Columns<Item>;

/** Returns a function that saves changes of these columns. Of several changes of one row, only the first is saved. */
function saving(
  columns: readonly ColumnName[],
  lock: (now: unknown) => RawBuilder<unknown>,
): Statements['alone'] {
  const table: Columns<Item> = { ...given, ...columnsOf<Item>(columns) };
  const valuesOf = (items: readonly Item[]) => ({
    ...arraysOf('given', items, table),
    ...eventRows(items.flatMap(({ events }) => events)),
    now: new Date(),
  });
  const save = prepared((db: Kysely<Tables>, value: Placeholders<ReturnType<typeof valuesOf>>) => {
    const statement = sql<SavedRow>`
      ${acrossWorkspaces('a batch has changes of several workspaces, each of its own row')}
      with new as materialized (
        select * from ${tableOfArrays('given', table, value)}
      ), locked as materialized (
        ${lock(value.now)}
      ), kept as (
        insert into message (interaction_id, workspace_id, client_message_id, fingerprint)
        select id, workspace_id, client_message_id, fingerprint from new join locked using (id)
        where is_current and client_message_id is not null
        on conflict do nothing
        returning interaction_id
      ), written as (
        update interaction set ${sql.join([...columns.map(setNew), sql`version = interaction.version + 1`])}
        from new join locked using (id)
        where is_current and ${isOfNew} and (new.client_message_id is null or new.id in (select interaction_id from kept))
        returning ${ofInteraction}
      ), raised as (
        insert into event_log (${sql.join(eventColumns.map((column) => sql.ref(column)))})
        select ${sql.join(eventColumns.map((column) => sql.ref(`event.${column}`)))}
        from ${eventTable(value)} as event join written on written.id::text = event.about
      )
      select locked.id as locked_id, is_current, written.* from locked left join written using (id)`;
    return { compile: () => statement.compile(db) };
  });
  return async (db, items) => {
    const first = new Map(items.toReversed().map((item) => [item.before.id, item]));
    const rows = await save(db, valuesOf([...first.values()]));
    const byId = new Map<string, Saved>();
    for (const { lockedId, isCurrent: wasCurrent, ...row } of rows) {
      const unsaved = wasCurrent ? 'duplicate' : 'outdated';
      byId.set(lockedId, row.id === null ? unsaved : row);
    }
    return items.map((item) => {
      const saved = byId.get(item.before.id);
      if (first.get(item.before.id) === item) return saved;
      // The first change has made this one outdated, unless it was not saved.
      return typeof saved === 'object' ? 'outdated' : undefined;
    });
  };
}

/** One look-up by key for each row, however many rows the planner expects. */
const isOfNew = sql`interaction.id = any(array(select id from new)) and interaction.id = new.id
  and interaction.workspace_id = new.workspace_id`;

/** The row is as it was read, and has not expired since. */
function isCurrent(now: unknown): RawBuilder<unknown> {
  return sql`(interaction.version = new.before_version
    and (interaction.expires_at is null or interaction.expires_at > ${now} or not ${isOpenRow}))`;
}

/** Locks the rows that nobody has, and says which changes are outdated. */
function lockFree(now: unknown): RawBuilder<unknown> {
  return sql`select interaction.id, ${isCurrent(now)} as is_current from interaction, new where ${isOfNew}
    for update of interaction skip locked`;
}

/** Waits for the rows. An outdated change waits for none. */
function lockCurrent(now: unknown): RawBuilder<unknown> {
  return sql`select interaction.id, true as is_current from interaction, new where ${isOfNew} and ${isCurrent(now)}
    for update of interaction`;
}

const ofInteraction = sql.join(interactionColumns.map((column) => sql.ref(`interaction.${column}`)));

function setNew(column: ColumnName): RawBuilder<unknown> {
  return sql`${sql.ref(column)} = ${sql.ref(`new.${column}`)}`;
}
