import type { Db } from '../schema.ts';
import type { Outline } from '../figures/outline.ts';

export interface BotRef {
  workspaceId: string;
  botId: string;
}

/** Returns the stored outline of this version, or else of the newest one before it that has one. */
export async function loadOutline(
  db: Db,
  { workspaceId, botId }: BotRef,
  version: number,
): Promise<{ version: number; outline: Outline } | undefined> {
  return db
    .selectFrom('botVersion')
    .select(['version', 'outline'])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where('version', '<=', version)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Does nothing if the outline is stored. */
export async function storeOutline(
  db: Db,
  { workspaceId, botId }: BotRef,
  version: number,
  outline: Outline,
): Promise<void> {
  await db
    .insertInto('botVersion')
    .values({ workspaceId, botId, version, outline: JSON.stringify(outline) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
