import { presenceLimits } from '@parley/contracts/limits';
import type { Presence } from '@parley/contracts/interaction/v1/bot';
import { purgeDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { PresenceTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

export type PresenceKey = Pick<Selectable<PresenceTable>, 'workspaceId' | 'botId' | 'personId' | 'id'>;

const { secondsKept, tabsPerPersonMax, listedMax } = presenceLimits;

/** Whether a presence has ended, because its tab has not renewed it in time. */
const isOver = sql<boolean>`presence.renewed_at < now() - make_interval(secs => ${sql.lit(secondsKept)})`;

/**
 * Creates or renews a presence. One that was over begins again. A new one of a person with too many ends the presence
 * that this person has renewed least recently.
 */
export async function renewPresence(db: Db, presence: PresenceKey): Promise<void> {
  const { workspaceId, botId, personId, id } = presence;
  await db
    .with('renewed', (trx) =>
      trx
        .insertInto('presence')
        .values(presence)
        .onConflict((conflict) =>
          conflict
            .columns(['botId', 'personId', 'id'])
            .doUpdateSet({
              openedAt: sql`case when ${isOver} then excluded.opened_at else presence.opened_at end`,
              renewedAt: sql`excluded.renewed_at`,
            })
            .where('presence.workspaceId', '=', workspaceId),
        ),
    )
    .deleteFrom('presence')
    .where('id', 'in', (others) =>
      others
        .selectFrom('presence')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('botId', '=', botId)
        .where('personId', '=', personId)
        .where('id', '<>', id)
        .orderBy('renewedAt', 'desc')
        .offset(sql.lit(tabsPerPersonMax - 1)),
    )
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where('personId', '=', personId)
    .execute();
}

/** The oldest first. */
export async function listPresences(
  db: Db,
  { workspaceId, botId }: Pick<PresenceKey, 'workspaceId' | 'botId'>,
): Promise<Presence[]> {
  return db
    .selectFrom('presence')
    .select(['id', 'personId', 'openedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where((where) => where.not(isOver))
    .orderBy('openedAt')
    .orderBy('id')
    .limit(sql.lit(listedMax))
    .execute();
}

/** Returns whether there was one, also one that was over. */
export async function deletePresence(
  db: Db,
  { workspaceId, botId, personId, id }: PresenceKey,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('presence')
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where('personId', '=', personId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes a page of presences that are over. Returns true when there may be more. */
export async function purgePresences(db: Db): Promise<boolean> {
  return purgeDue(db, acrossWorkspaces('a purge by age'), { table: 'presence', isDue: isOver, limit: 1_000 });
}
