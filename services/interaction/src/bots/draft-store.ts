import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { BotDraftTable, DraftSaves, Tables } from '../schema.ts';
import type { BotRow } from './store.ts';

/** The row of a bot's draft. Without a draft, it has its version and saves only. */
export type DraftRow = Selectable<BotDraftTable>;

/** A draft that exists. */
export type Draft = DraftRow &
  Record<'definition' | 'updatedBy', string> & { baseVersion: number; updatedAt: Date };

const columns = [
  'botId',
  'workspaceId',
  'version',
  'definition',
  'baseVersion',
  'updatedAt',
  'updatedBy',
  'saves',
] as const satisfies (keyof BotDraftTable)[];

/** Undefined if the bot has never had a draft. */
export async function loadDraftRow(db: Kysely<Tables>, bot: BotRow): Promise<DraftRow | undefined> {
  return db
    .selectFrom('botDraft')
    .select(columns)
    .where('workspaceId', '=', bot.workspaceId)
    .where('botId', '=', bot.id)
    .executeTakeFirst();
}

export function isDraft(row: DraftRow | undefined): row is Draft {
  return typeof row?.definition === 'string';
}

/** The last saved first. A workspace has a limited number of bots, and a bot has one draft. */
export async function listDrafts(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<Pick<Draft, 'botId' | 'version' | 'baseVersion' | 'updatedAt' | 'updatedBy'>[]> {
  return scans(db)
    .selectFrom('botDraft')
    .select(['botId', 'version', 'baseVersion', 'updatedAt', 'updatedBy'])
    .where('workspaceId', '=', workspaceId)
    .where('definition', 'is not', null)
    .$narrowType<Pick<Draft, 'baseVersion' | 'updatedAt' | 'updatedBy'>>()
    .orderBy('updatedAt', 'desc')
    .orderBy('botId')
    .execute();
}

interface NewDraft extends Pick<Draft, 'definition' | 'baseVersion' | 'updatedBy'> {
  saves: Record<string, DraftSaves>;
}

/** Returns undefined when another call has changed the row since `before` was read. */
export async function saveDraft(
  db: Kysely<Tables>,
  { id: botId, workspaceId }: BotRow,
  before: DraftRow | undefined,
  { saves, ...draft }: NewDraft,
): Promise<DraftRow | undefined> {
  const values = { ...draft, updatedAt: sql<Date>`now()`, saves: JSON.stringify(saves) };
  if (before) return changed(db, before, values);
  return db
    .insertInto('botDraft')
    .values({ botId, workspaceId, version: 1, ...values })
    .onConflict((conflict) => conflict.column('botId').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Returns undefined when another call has changed the row since `before` was read. */
export async function removeDraft(db: Kysely<Tables>, before: DraftRow): Promise<DraftRow | undefined> {
  return changed(db, before, { definition: null, baseVersion: null, updatedAt: null, updatedBy: null });
}

async function changed(db: Kysely<Tables>, before: DraftRow, values: object): Promise<DraftRow | undefined> {
  return db
    .updateTable('botDraft')
    .set({ ...values, version: before.version + 1 })
    .where('workspaceId', '=', before.workspaceId)
    .where('botId', '=', before.botId)
    .where('version', '=', before.version)
    .returning(columns)
    .executeTakeFirst();
}
