import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { validate as isUuid } from 'uuid';
import { isUnpublished } from '../bots/live-sql.ts';
import type { LoadedBot } from '../bots/store.ts';
import type { OpenLinkTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;
export type OpenLinkRow = Selectable<OpenLinkTable>;
export type OpenLinkKey = Pick<OpenLinkRow, 'workspaceId' | 'botId' | 'id'>;

export async function insertOpenLink(trx: Db, link: Insertable<OpenLinkTable>): Promise<OpenLinkRow> {
  return trx.insertInto('openLink').values(link).returningAll().executeTakeFirstOrThrow();
}

/** Returns whether the bot has more than `max` links. Its row is locked against new ones. */
export async function hasTooManyLinks(
  trx: Db,
  { workspaceId, botId }: Pick<OpenLinkRow, 'workspaceId' | 'botId'>,
  max: number,
): Promise<boolean> {
  await trx
    .selectFrom('bot')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', botId)
    .forNoKeyUpdate()
    .execute();
  const beyond = await trx
    .selectFrom('openLink')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .offset(sql.lit(max))
    .limit(sql.lit(1))
    .executeTakeFirst();
  return beyond !== undefined;
}

/** Newest first. `before`: only links in front of this one. */
export async function listOpenLinks(
  db: Db,
  { workspaceId, botId }: Pick<OpenLinkRow, 'workspaceId' | 'botId'>,
  before: string | undefined,
  limit: number,
): Promise<OpenLinkRow[]> {
  const all = db
    .selectFrom('openLink')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId);
  const rest = before === undefined ? all : all.where('id', '<', before);
  return rest.orderBy('id', 'desc').limit(sql.lit(limit)).execute();
}

export async function findOpenLink(db: Db, key: OpenLinkKey): Promise<OpenLinkRow | undefined> {
  return isUuid(key.botId) ? ofKey(db, key).executeTakeFirst() : undefined;
}

/** As `findOpenLink`. The row is locked until the end of the transaction. */
export async function lockOpenLink(trx: Db, key: OpenLinkKey): Promise<OpenLinkRow | undefined> {
  return isUuid(key.botId) ? ofKey(trx, key).forUpdate().executeTakeFirst() : undefined;
}

function ofKey(db: Db, { workspaceId, botId, id }: OpenLinkKey) {
  return db
    .selectFrom('openLink')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where('id', '=', id);
}

export async function updateOpenLink(
  trx: Db,
  { workspaceId, id, version }: OpenLinkRow,
  change: Updateable<OpenLinkTable>,
): Promise<OpenLinkRow> {
  return trx
    .updateTable('openLink')
    .set({ ...change, version: version + 1 })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteOpenLink(trx: Db, { workspaceId, id }: OpenLinkRow): Promise<void> {
  await trx.deleteFrom('openLink').where('workspaceId', '=', workspaceId).where('id', '=', id).execute();
}

export type VisitedLink = OpenLinkRow &
  Pick<LoadedBot, 'isUnpublished'> & { botName: string; botContext: string[]; isExpired: boolean };

/** Returns the link of an id that a token proves, with its bot. */
export async function findVisited(db: Db, id: string): Promise<VisitedLink | undefined> {
  return db
    .selectFrom('openLink')
    .innerJoin('bot', 'bot.id', 'openLink.botId')
    .selectAll('openLink')
    .select(['bot.name as botName', 'bot.context as botContext', isUnpublished.as('isUnpublished')])
    .select(sql<boolean>`coalesce(open_link.expires_at <= now(), false)`.as('isExpired'))
    .where('openLink.id', '=', id)
    .modifyEnd(acrossWorkspaces('a link: its MAC proves the id, and it names no workspace'))
    .executeTakeFirst();
}

/**
 * Counts a response. Returns whether the link takes it. In the transaction that creates its interaction, so that both
 * happen or neither: concurrent calls wait for each other, and none exceeds the maximum.
 */
export async function takeResponse(trx: Db, { workspaceId, id }: OpenLinkRow): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('openLink')
    .set({ responses: sql<number>`responses + 1` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('isClosed', '=', false)
    .where(sql<boolean>`responses < coalesce(responses_max, ${sql.lit(2 ** 31 - 1)})`)
    .where(sql<boolean>`coalesce(expires_at > clock_timestamp(), true)`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
