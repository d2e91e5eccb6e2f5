import { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { insertEvents } from '@parley/events/log';
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
  | 'offeredAt'
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
    | 'isTest'
    | 'lastStep'
    | 'version'
  >
>;

export type NewInteraction = Omit<
  InteractionRow,
  'version' | 'linkVersion' | 'redactedVersion' | 'updatedAt'
> &
  Pick<InteractionChange, 'modelDueAt' | 'modelTraceparent' | 'offeredAt'>;

/** What an interaction has before its conversation begins. */
export const notBegun = {
  botVersion: null,
  state: null,
  transcript: null,
  evaluation: null,
  seq: 0,
  startedAt: null,
  completedAt: null,
  stallsAt: null,
} as const satisfies Partial<NewInteraction>;

/** A customer's message, saved with the change that it causes. */
export type NewMessage = Pick<MessageTable, 'clientMessageId' | 'fingerprint'>;

export const messageColumns = [
  ...fieldsOf(Interaction, ['linkToken', 'data', 'withdrawn', 'reminders']),
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
export const isOpenRow = sql<SqlBool>`interaction.status in ('Draft', 'Pending', 'InProgress')`;

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
