import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { InteractionRow } from '../interactions/store.ts';

/** The part of an interaction that has names, and the version of the bot that decides which of them are personal. */
export type NamedRow = Pick<
  InteractionRow,
  'id' | 'workspaceId' | 'botId' | 'botVersion' | 'evaluation' | 'context' | 'transcript'
>;

/** Interactions that do not exist are left out. */
export async function loadNamed(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedRow[]> {
  return db
    .selectFrom('interaction')
    .select(['id', 'workspaceId', 'botId', 'botVersion', 'evaluation', 'context', 'transcript'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
