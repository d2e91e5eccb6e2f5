import { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { eventColumns, eventRows, eventTable, insertEvents, type NewEvent } from '@parley/events/log';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { countInteractions } from '../metrics.ts';
import type { InteractionTable, MessageTable, Tables } from '../schema.ts';
import { expiredEvent } from './events.ts';
import { isDue } from './lifecycle.ts';

/** An interaction with its conversation: all columns except the ones that only statements use. */
export type InteractionRow = Omit<
  Selectable<InteractionTable>,
  | 'fenceVersion'
  | 'bytes'
  | 'modelDueAt'
  | 'modelTries'
  | 'modelTraceparent'
  | 'changedIn'
  | 'isImport'
  | 'lastStep'
>;

export type InteractionChange = Partial<
  Omit<
    Selectable<InteractionTable>,
    | 'fenceVersion'
    | 'bytes'
    | 'id'
    | 'workspaceId'
    | 'customerId'
    | 'botId'
    | 'type'
    | 'typeLabel'
    | 'createdAt'
    | 'updatedAt'
    | 'changedIn'
    | 'isImport'
    | 'lastStep'
    | 'version'
  >
>;

/** A customer's message, saved with the change that it causes. */
export type NewMessage = Pick<MessageTable, 'clientMessageId' | 'fingerprint'>;

export const messageColumns = [
  ...fieldsOf(Interaction, ['linkToken', 'data']),
  'linkVersion',
  'transcript',
  'evaluation',
] as const satisfies (keyof InteractionTable)[];

export type MessageRow = Pick<InteractionRow, (typeof messageColumns)[number]>;

export const interactionColumns = [
  ...messageColumns,
  'workspaceId',
  'redactedVersion',
  'state',
  'seq',
  'stallsAt',
] as const satisfies (keyof InteractionTable)[];

/** Literals, not parameters, so that the planner can use the partial index. */
export const isOpenRow = sql<SqlBool>`status in ('Draft', 'Pending', 'InProgress')`;

/** Every change of a row sets this. */
export const nextVersion = sql<number>`version + 1`;

export interface InteractionKey {
  workspaceId: string;
  id: string;
}

/** Expires the interaction first if it is due. */
export const loadInteraction = unexpired(
  prepared((db: Kysely<Tables>, key: Placeholders<InteractionKey>) =>
    db
      .selectFrom('interaction')
      .select(interactionColumns)
      .where('workspaceId', '=', key.workspaceId)
      .where('id', '=', key.id),
  ),
);

/** As `loadInteraction`, with the columns of `interactionMessage`. */
export const loadForMessage = unexpired(
  prepared((db: Kysely<Tables>, key: Placeholders<InteractionKey>) =>
    db
      .selectFrom('interaction')
      .select(messageColumns)
      .where('workspaceId', '=', key.workspaceId)
      .where('id', '=', key.id),
  ),
);

/** Returns a function like `loadInteraction` for the columns that `select` reads. */
export function unexpired<Row extends Pick<MessageRow, 'status' | 'expiresAt'>>(
  select: (db: Kysely<Tables>, key: InteractionKey) => Promise<Row[]>,
) {
  return async (db: Kysely<Tables>, workspaceId: string, id: string): Promise<Row | undefined> => {
    for (;;) {
      const [row] = await select(db, { workspaceId, id });
      const now = new Date();
      if (!row || !isDue(row, now)) return row;
      const expired = await inTransaction(db, async (trx) => {
        const changed = await trx
          .updateTable('interaction')
          .set({ status: 'Expired', version: nextVersion })
          .where('workspaceId', '=', workspaceId)
          .where('id', '=', id)
          .where('expiresAt', '<=', now)
          .where(isOpenRow)
          .returning(interactionColumns)
          .executeTakeFirst();
        if (changed) await insertEvents(trx, [expiredEvent(changed, 'clock')]);
        return changed;
      });
      // Without a row, another call has changed it: read it again.
      if (!expired) continue;
      countInteractions('expired', expired.type);
      return { ...row, ...expired };
    }
  };
}

/**
 * Saves a change of a row with its events and its message in one statement. Returns undefined when the row has changed
 * since it was read, or it has expired: load it again and decide again. A message id that is taken violates
 * `message_pkey`.
 */
export async function saveInteraction(
  db: Kysely<Tables>,
  before: Pick<InteractionRow, 'id' | 'workspaceId' | 'version'>,
  change: InteractionChange,
  events: readonly NewEvent[],
  message: NewMessage | null,
): Promise<InteractionRow | undefined> {
  const columns = columnsOf(change);
  const set = (Object.keys(columns) as Column[]).filter((column) => columns[column] !== undefined);
  const [row] = await statementFor(set)(db, parametersOf(before, columns, events, message));
  return row;
}

type Columns = ReturnType<typeof columnsOf>;
type Column = keyof Columns;
type SaveStatement = ReturnType<typeof buildStatement>;

/** Returns the values of the statement; null for an absent message. */
function parametersOf(
  before: Pick<InteractionRow, 'id' | 'workspaceId' | 'version'>,
  columns: Columns,
  events: readonly NewEvent[],
  message: NewMessage | null,
) {
  return {
    ...columns,
    beforeId: before.id,
    beforeVersion: before.version,
    ofWorkspace: before.workspaceId,
    now: new Date(),
    ...eventRows(events),
    isMessage: message !== null,
    clientMessageId: message?.clientMessageId ?? null,
    fingerprint: message?.fingerprint ?? null,
  };
}

/** Statements by the columns that they set: about a dozen. */
const statements = new Map<string, SaveStatement>();

function statementFor(columns: readonly Column[]): SaveStatement {
  const name = columns.join();
  const statement = statements.get(name) ?? buildStatement(columns);
  statements.set(name, statement);
  return statement;
}

function buildStatement(columns: readonly Column[]) {
  return prepared((db: Kysely<Tables>, value: Placeholders<ReturnType<typeof parametersOf>>) =>
    db
      .with('written', (query) =>
        query
          .updateTable('interaction')
          .set({
            ...Object.fromEntries(columns.map((column) => [column, value[column]])),
            version: nextVersion,
          })
          .where('workspaceId', '=', value.ofWorkspace)
          .where('id', '=', value.beforeId)
          .where('version', '=', value.beforeVersion)
          .where((is) =>
            is.or([is('expiresAt', 'is', null), is('expiresAt', '>', value.now), is.not(isOpenRow)]),
          )
          .returning(interactionColumns),
      )
      .with('raised', (query) =>
        query
          .insertInto('eventLog')
          .columns([...eventColumns])
          .expression((from) =>
            from
              .selectFrom(['written', eventTable(value).as('event')])
              .select(eventColumns.map((column) => `event.${column}` as const)),
          ),
      )
      .with('kept', (query) =>
        query
          .insertInto('message')
          .columns(['interactionId', 'workspaceId', 'clientMessageId', 'fingerprint'])
          .expression((from) =>
            from
              .selectFrom('written')
              .select(({ ref }) => [
                ref('written.id').as('interactionId'),
                ref('written.workspaceId').as('workspaceId'),
                sql<string>`${value.clientMessageId}::text`.as('clientMessageId'),
                sql<Buffer>`${value.fingerprint}::bytea`.as('fingerprint'),
              ])
              .where(sql<boolean>`${value.isMessage}::boolean`),
          ),
      )
      .selectFrom('written')
      .select(interactionColumns),
  );
}

// The columns as they are written, with JSON as text.
function columnsOf({ context, state, transcript, evaluation, ...plain }: InteractionChange) {
  return {
    ...plain,
    ...(context && { context: JSON.stringify(context) }),
    ...(state && { state: JSON.stringify(state) }),
    ...(transcript && { transcript: JSON.stringify(transcript) }),
    ...(evaluation && { evaluation: JSON.stringify(evaluation) }),
  };
}
