import { eventColumns, eventRows, eventTable, type NewEvent } from '@parley/events/log';
import { batched } from '@parley/postgres/connecting/batched';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { arraysOf, type Columns, tableOfArrays } from '@parley/postgres/sql/arrays';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type RawBuilder, sql } from 'kysely';
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

type Column = keyof InteractionChange;
type Saved = InteractionRow | 'duplicate' | undefined;

/**
 * Saves a change of a row with its events and its message in one statement. Returns undefined when the row has changed
 * since it was read, or it has expired: load it again and decide again. Throws `DuplicateMessage`.
 *
 * Concurrent changes of the same columns form a batch, which waits for no lock. A change whose row is locked by others
 * waits on its own. In a transaction, a change is saved alone.
 */
export async function saveInteraction(db: Kysely<Tables>, item: Change): Promise<InteractionRow | undefined> {
  const { batch, alone } = statementsFor(item.change);
  const saved = (!db.isTransaction && (await batch(db, item))) || (await alone(db, [item]))[0];
  if (saved === 'duplicate') throw new DuplicateMessage();
  return saved;
}

/** A row that was locked, as it is saved. All else is null for a message that is a duplicate. */
type SavedRow = InteractionRow & { lockedId: string };

interface Statements {
  batch: (db: Kysely<Tables>, item: Change) => Promise<Saved>;
  alone: (db: Kysely<Tables>, items: readonly Change[]) => Promise<Saved[]>;
}

/** By the names of the columns that they set: about a dozen. */
const statements = new Map<string, Statements>();

function statementsFor(change: InteractionChange): Statements {
  const columns = (Object.keys(changeable) as Column[]).filter((column) => change[column] !== undefined);
  const name = columns.join();
  let found = statements.get(name);
  if (!found) {
    found = {
      batch: batched(saving(columns, sql`for update of interaction skip locked`)),
      alone: saving(columns, sql`for update of interaction`),
    };
    statements.set(name, found);
  }
  return found;
}

/** The type of each column, and its new value. JSON is written as text. */
const changeable: { [Name in Column]-?: Columns<Change>[string] } = {
  status: ['text', ({ change }) => change.status ?? null],
  priority: ['text', ({ change }) => change.priority ?? null],
  botVersion: ['int', ({ change }) => change.botVersion ?? null],
  redactedVersion: ['int', ({ change }) => change.redactedVersion ?? null],
  linkVersion: ['int', ({ change }) => change.linkVersion ?? null],
  context: ['json', ({ change }) => jsonOf(change.context)],
  state: ['json', ({ change }) => jsonOf(change.state)],
  transcript: ['json', ({ change }) => jsonOf(change.transcript)],
  evaluation: ['json', ({ change }) => jsonOf(change.evaluation)],
  seq: ['int', ({ change }) => change.seq ?? null],
  startedAt: ['timestamptz', ({ change }) => change.startedAt ?? null],
  completedAt: ['timestamptz', ({ change }) => change.completedAt ?? null],
  expiresAt: ['timestamptz', ({ change }) => change.expiresAt ?? null],
  stallsAt: ['timestamptz', ({ change }) => change.stallsAt ?? null],
  modelDueAt: ['timestamptz', ({ change }) => change.modelDueAt ?? null],
  modelTries: ['int', ({ change }) => change.modelTries ?? null],
  modelTraceparent: ['text', ({ change }) => change.modelTraceparent ?? null],
};

/** What a statement is given of each change besides the new values. */
const given = {
  id: ['uuid', ({ before }) => before.id],
  workspaceId: ['uuid', ({ before }) => before.workspaceId],
  beforeVersion: ['int', ({ before }) => before.version],
  clientMessageId: ['text', ({ message }) => message?.clientMessageId ?? null],
  fingerprint: ['bytea', ({ message }) => message?.fingerprint ?? null],
} as const satisfies Columns<Change>;

/** Returns a function that saves changes of these columns. Of several changes of one row, only the first is saved. */
function saving(columns: readonly Column[], lock: RawBuilder<unknown>): Statements['alone'] {
  const table: Columns<Change> = {
    ...given,
    ...Object.fromEntries(columns.map((column) => [column, changeable[column]])),
  };
  const valuesOf = (items: readonly Change[]) => ({
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
        select interaction.id from interaction, new
        where ${isOfNew} and interaction.version = new.before_version
          and (interaction.expires_at is null or interaction.expires_at > ${value.now} or not ${isOpenRow})
        ${lock}
      ), kept as (
        insert into message (interaction_id, workspace_id, client_message_id, fingerprint)
        select id, workspace_id, client_message_id, fingerprint from new join locked using (id)
        where client_message_id is not null
        on conflict do nothing
        returning interaction_id
      ), written as (
        update interaction set ${sql.join([...columns.map(setNew), sql`version = interaction.version + 1`])}
        from new join locked using (id)
        where ${isOfNew} and (new.client_message_id is null or new.id in (select interaction_id from kept))
        returning ${ofInteraction}
      ), raised as (
        insert into event_log (${sql.join(eventColumns.map((column) => sql.ref(column)))})
        select ${sql.join(eventColumns.map((column) => sql.ref(`event.${column}`)))}
        from ${eventTable(value)} as event join written on written.id::text = event.about
      )
      select locked.id as locked_id, written.* from locked left join written using (id)`;
    return { compile: () => statement.compile(db) };
  });
  return async (db, items) => {
    const first = new Map(items.toReversed().map((item) => [item.before.id, item]));
    const rows = await save(db, valuesOf([...first.values()]));
    const byId = new Map<string, Saved>();
    for (const { lockedId, ...row } of rows) byId.set(lockedId, row.id === null ? 'duplicate' : row);
    return items.map((item) => (first.get(item.before.id) === item ? byId.get(item.before.id) : undefined));
  };
}

/** One look-up by key for each row, however many rows the planner expects. */
const isOfNew = sql`interaction.id = any(array(select id from new)) and interaction.id = new.id
  and interaction.workspace_id = new.workspace_id`;

const ofInteraction = sql.join(interactionColumns.map((column) => sql.ref(`interaction.${column}`)));

function setNew(column: Column): RawBuilder<unknown> {
  return sql`${sql.ref(column)} = ${sql.ref(`new.${column}`)}`;
}

function jsonOf(value: object | null | undefined): string | null {
  return value ? JSON.stringify(value) : null;
}
