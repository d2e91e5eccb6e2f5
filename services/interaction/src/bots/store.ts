import type { BotDefinition } from '@parley/bot/definition';
import { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import { scans } from '@parley/postgres/dialect';
import { fieldsOf } from '@parley/postgres/fields';
import { type Placeholders, prepared } from '@parley/postgres/prepared';
import { type Kysely, type Selectable, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { BotTable, Tables } from '../schema.ts';

/** A bot with the fields that its interactions copy. */
export type BotRow = Pick<Selectable<BotTable>, keyof Bot | 'workspaceId' | 'type' | 'typeLabel'>;

/** A definition to publish, with the columns of the bot's row and of the version's row. */
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

const selectBot = prepared((db: Kysely<Tables>, key: Placeholders<{ workspaceId: string; id: string }>) =>
  db.selectFrom('bot').select(botColumns).where('workspaceId', '=', key.workspaceId).where('id', '=', key.id),
);

const selectBotByKey = prepared(
  (db: Kysely<Tables>, bot: Placeholders<{ workspaceId: string; key: string }>) =>
    db
      .selectFrom('bot')
      .select(botColumns)
      .where('workspaceId', '=', bot.workspaceId)
      .where('key', '=', bot.key),
);

/** Returns the bot, or undefined when the workspace has none with this id. */
export async function loadBot(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<BotRow | undefined> {
  if (!isUuid(id)) return undefined;
  const [bot] = await selectBot(db, { workspaceId, id });
  return bot;
}

/** Returns the bot, or undefined when the workspace has none with this key. */
export async function loadBotByKey(
  db: Kysely<Tables>,
  workspaceId: string,
  key: string,
): Promise<BotRow | undefined> {
  const [bot] = await selectBotByKey(db, { workspaceId, key });
  return bot;
}

/** The rows per read: bots of at most some 4 KB, versions of 100 bytes. */
const botsMax = 200;
const versionsMax = 2_000;

/** Returns the workspace's first bots, oldest first, or the next ones behind `after`. */
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

/** Returns a digest of the workspace's bots. It changes with each of them. */
export async function digestOfBots(db: Kysely<Tables>, workspaceId: string): Promise<string> {
  const { digest } = await scans(db)
    .selectFrom('bot')
    .select(sql<string>`md5(string_agg(id || '.' || version, ',' order by id))`.as('digest'))
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return digest;
}

/** Returns the bot's first versions, newest first, or the next ones behind `after`. */
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

/** Returns the definition of a version and the bytes of its JSON, or undefined. */
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

/** Returns the digest of a version's definition, or undefined. */
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

/** The list of a workspace's bots and its digest are read as a whole. Most workspaces have a few dozen bots. */
export const botsPerWorkspaceMax = 1_000;

/** Each version keeps its whole definition. Few bots get one version a day, so more are the mistake of a program. */
export const versionsPerBotMax = 10_000;

/** Locks a workspace against new bots until the end of the transaction. */
export async function lockBots(trx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bots of ${workspaceId}`}, 0))`.execute(trx);
}

/** Returns whether a workspace has more bots than the maximum. */
export async function hasTooManyBots(db: Kysely<Tables>, workspaceId: string): Promise<boolean> {
  const beyond = await db
    .selectFrom('bot')
    .select('key')
    .where('workspaceId', '=', workspaceId)
    .orderBy('key')
    .offset(sql.lit(botsPerWorkspaceMax))
    .limit(sql.lit(1))
    .executeTakeFirst();
  return beyond !== undefined;
}

/** Inserts a bot with its first version. A key that is taken violates `bot_key_unique`. */
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

/** Inserts the version that follows `before`. Returns undefined when another call has inserted it. */
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
