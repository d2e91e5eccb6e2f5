import { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { NewOutboxRow } from '@parley/events/outbox';
import { fieldsOf } from '@parley/postgres/fields';
import { prepared, type StandIns } from '@parley/postgres/prepared';
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { isDue } from './lifecycle.ts';
import type { InteractionTable, MessageTable, Tables } from './schema.ts';

/** An interaction with its talk: all columns but those that only statements look at. */
export type InteractionRow = Omit<Selectable<InteractionTable>, 'fenceVersion' | 'modelDueAt' | 'modelTries'>;

/** New values of the columns that a change touches. */
export type InteractionChange = Partial<
  Omit<
    Selectable<InteractionTable>,
    | 'fenceVersion'
    | 'id'
    | 'workspaceId'
    | 'customerId'
    | 'botId'
    | 'type'
    | 'typeLabel'
    | 'createdAt'
    | 'version'
  >
>;

/** A customer's message that is saved with the change which it made. */
export type NewMessage = Pick<MessageTable, 'clientMessageId' | 'fingerprint'>;

/** The columns of an `InteractionRow`. */
export const interactionColumns = [
  ...fieldsOf(Interaction, ['linkToken', 'data']),
  'workspaceId',
  'botId',
  'botVersion',
  'redactedVersion',
  'linkVersion',
  'sessionsFrom',
  'state',
  'transcript',
  'evaluation',
  'seq',
] as const satisfies (keyof InteractionTable)[];

/** Spelled out in the text, not as parameters: the planner must see that the partial index fits. */
export const isOpenRow = sql<SqlBool>`status in ('Draft', 'Pending', 'InProgress')`;

/** What every change of a row sets. */
export const nextVersion = sql<number>`version + 1`;

const selectInteraction = prepared((db: Kysely<Tables>, key: StandIns<{ workspaceId: string; id: string }>) =>
  db
    .selectFrom('interaction')
    .select(interactionColumns)
    .where('workspaceId', '=', key.workspaceId)
    .where('id', '=', key.id),
);

/** The interaction as it is now, or undefined: one whose time is over has expired before it is answered. */
export async function loadInteraction(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<InteractionRow | undefined> {
  if (!isUuid(id)) return undefined;
  for (;;) {
    const [row] = await selectInteraction(db, { workspaceId, id });
    const now = new Date();
    if (!row || !isDue(row, now)) return row;
    const expired = await db
      .updateTable('interaction')
      .set({ status: 'Expired', version: nextVersion })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('expiresAt', '<=', now)
      .where(isOpenRow)
      .returning(interactionColumns)
      .executeTakeFirst();
    // Without a row somebody was faster: what they made of it is read anew.
    if (expired) return expired;
  }
}

/**
 * Saves a change of the row that was read, with the event that it raises and the message that made it, in one statement:
 * all or nothing. Undefined when the row has changed since, or its time is over: load it again and decide anew.
 * A message id that is taken breaks `message_pkey`.
 */
export async function saveInteraction(
  db: Kysely<Tables>,
  before: Pick<InteractionRow, 'id' | 'workspaceId' | 'version'>,
  change: InteractionChange,
  event: NewOutboxRow | null,
  message: NewMessage | null,
): Promise<InteractionRow | undefined> {
  return db
    .with('written', (query) =>
      query
        .updateTable('interaction')
        .set({ ...columnsOf(change), version: nextVersion })
        .where('workspaceId', '=', before.workspaceId)
        .where('id', '=', before.id)
        .where('version', '=', before.version)
        .where((is) =>
          is.or([is('expiresAt', 'is', null), is('expiresAt', '>', new Date()), is.not(isOpenRow)]),
        )
        .returning(interactionColumns),
    )
    .with('raised', (query) =>
      query
        .insertInto('outbox')
        .columns(outboxColumns)
        .expression((from) =>
          from
            .selectFrom('written')
            .select(outboxValues(event))
            .where(({ val }) => val(event !== null)),
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
              sql<string>`${message?.clientMessageId ?? null}::text`.as('clientMessageId'),
              sql<Buffer>`${message?.fingerprint ?? null}::bytea`.as('fingerprint'),
            ])
            .where(({ val }) => val(message !== null)),
        ),
    )
    .selectFrom('written')
    .select(interactionColumns)
    .executeTakeFirst();
}

const outboxColumns = ['eventId', 'workspaceId', 'natsSubject', 'payload', 'traceparent'] as const;

// The row to insert, or nulls where there is none: one text for both, which the server prepares once.
function outboxValues(event: NewOutboxRow | null) {
  return [
    sql<string>`${event?.eventId ?? null}::uuid`.as('eventId'),
    sql<string>`${event?.workspaceId ?? null}::uuid`.as('workspaceId'),
    sql<string>`${event?.natsSubject ?? null}::text`.as('natsSubject'),
    sql<Buffer>`${event?.payload ?? null}::bytea`.as('payload'),
    sql<string | null>`${event?.traceparent ?? null}::text`.as('traceparent'),
  ] as const;
}

// The columns of a change as they are written: what is JSON as text.
function columnsOf({ context, state, transcript, evaluation, ...plain }: InteractionChange) {
  return {
    ...plain,
    ...(context && { context: JSON.stringify(context) }),
    ...(state && { state: JSON.stringify(state) }),
    ...(transcript && { transcript: JSON.stringify(transcript) }),
    ...(evaluation && { evaluation: JSON.stringify(evaluation) }),
  };
}
