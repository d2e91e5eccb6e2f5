import type { BotDefinition } from '@parley/bot/definition';
import { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import { fieldsOf } from '@parley/postgres/fields';
import { prepared, type StandIns } from '@parley/postgres/prepared';
import { type Kysely, type Selectable, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { BotTable, Tables } from './schema.ts';

/** A bot with what its interactions take over from it. */
export type BotRow = Pick<Selectable<BotTable>, keyof Bot | 'workspaceId' | 'type' | 'typeLabel'>;

/** A definition as it is published: what the bot's row takes over, and the version's own columns. */
export interface Publication {
  bot: Pick<BotRow, 'name' | 'type' | 'typeLabel' | 'context'>;
  definition: BotDefinition;
  sha256: string;
}

const botColumns = [
  ...fieldsOf(Bot),
  'workspaceId',
  'type',
  'typeLabel',
] as const satisfies (keyof BotTable)[];

const selectBot = prepared((db: Kysely<Tables>, key: StandIns<{ workspaceId: string; id: string }>) =>
  db.selectFrom('bot').select(botColumns).where('workspaceId', '=', key.workspaceId).where('id', '=', key.id),
);

const selectBotByKey = prepared((db: Kysely<Tables>, named: StandIns<{ workspaceId: string; key: string }>) =>
  db
    .selectFrom('bot')
    .select(botColumns)
    .where('workspaceId', '=', named.workspaceId)
    .where('key', '=', named.key),
);

/** The bot, or undefined when the workspace has none of that id. */
export async function loadBot(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<BotRow | undefined> {
  if (!isUuid(id)) return undefined;
  const [bot] = await selectBot(db, { workspaceId, id });
  return bot;
}

/** The bot, or undefined when the workspace has none of that key. */
export async function loadBotByKey(
  db: Kysely<Tables>,
  workspaceId: string,
  key: string,
): Promise<BotRow | undefined> {
  const [bot] = await selectBotByKey(db, { workspaceId, key });
  return bot;
}

/** How many bots, of some 4 KB at most, and how many versions, of 100 bytes, are read at once. */
const botsMax = 200;
const versionsMax = 2_000;

/** The workspace's bots, oldest first: the first ones, or those behind `after`. */
export async function listBots(
  db: Kysely<Tables>,
  workspaceId: string,
  after: string | undefined,
): Promise<{ bots: BotRow[]; nextAfter?: string | undefined }> {
  const all = db.selectFrom('bot').select(botColumns).where('workspaceId', '=', workspaceId);
  const rows = await (after === undefined ? all : all.where('id', '>', after))
    .orderBy('id')
    .limit(sql.lit(botsMax + 1))
    .execute();
  const bots = rows.slice(0, botsMax);
  return { bots, nextAfter: rows.length > botsMax ? bots.at(-1)?.id : undefined };
}

/** A digest of what all of the workspace's bots are at now: it changes with each of them. */
export async function digestOfBots(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  const { digest } = await db
    .selectFrom('bot')
    .select(sql<string>`md5(string_agg(id || '.' || version, ',' order by id))`.as('digest'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return digest;
}

/** The bot's versions, newest first: the first ones, or those before `after`. */
export async function listBotVersions(
  db: Kysely<Tables>,
  workspaceId: string,
  botId: string,
  after: number | undefined,
): Promise<{ versions: BotVersion[]; nextAfter?: number | undefined }> {
  const all = db
    .selectFrom('botVersion')
    .select(fieldsOf(BotVersion))
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId);
  const versions = await (after === undefined ? all : all.where('version', '<', after))
    .orderBy('version', 'desc')
    .limit(sql.lit(versionsMax))
    .execute();
  const last = versions.at(-1)?.version ?? 1;
  return { versions, nextAfter: last > 1 ? last : undefined };
}

/** The definition of a version and the bytes of its JSON, or undefined when there is none. */
export async function loadDefinition(
  db: Kysely<Tables>,
  workspaceId: string,
  botId: string,
  version: number,
): Promise<{ definition: BotDefinition; bytes: number } | undefined> {
  return db
    .selectFrom('botVersion')
    .select(['definition', sql<number>`octet_length(definition::text)`.as('bytes')])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** The digest of a version's definition, or undefined when there is none. */
export async function loadSha256(
  db: Kysely<Tables>,
  { workspaceId, id, version }: BotRow,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('botVersion')
    .select('sha256')
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.sha256;
}

/** Makes a bot with its first version. A key that the workspace has breaks `bot_key_unique`. */
export async function insertBot(
  db: Kysely<Tables>,
  bot: Pick<BotRow, 'id' | 'workspaceId' | 'key'>,
  publication: Publication,
): Promise<BotRow> {
  return db
    .with('made', (query) =>
      query
        .insertInto('bot')
        .values({ ...bot, ...publication.bot })
        .returning(botColumns),
    )
    .with('published', (query) =>
      query.insertInto('botVersion').values({
        botId: bot.id,
        workspaceId: bot.workspaceId,
        version: 1,
        definition: JSON.stringify(publication.definition),
        sha256: publication.sha256,
      }),
    )
    .selectFrom('made')
    .select(botColumns)
    .executeTakeFirstOrThrow();
}

/** Adds the version that follows the one which was read; undefined when somebody else has added one since. */
export async function insertBotVersion(
  db: Kysely<Tables>,
  before: BotRow,
  publication: Publication,
): Promise<BotRow | undefined> {
  return db
    .with('moved', (query) =>
      query
        .updateTable('bot')
        .set({ ...publication.bot, version: before.version + 1 })
        .where('workspaceId', '=', before.workspaceId)
        .where('id', '=', before.id)
        .where('version', '=', before.version)
        .returning(botColumns),
    )
    .with('published', (query) =>
      query
        .insertInto('botVersion')
        .columns(['botId', 'workspaceId', 'version', 'definition', 'sha256'])
        .expression((from) =>
          from
            .selectFrom('moved')
            .select(({ val }) => [
              'moved.id',
              'moved.workspaceId',
              'moved.version',
              val(JSON.stringify(publication.definition)).as('definition'),
              val(publication.sha256).as('sha256'),
            ]),
        ),
    )
    .selectFrom('moved')
    .select(botColumns)
    .executeTakeFirst();
}
