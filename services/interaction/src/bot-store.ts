import type { BotDefinition } from '@parley/bot/definition';
import { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import { fieldsOf } from '@parley/postgres/fields';
import { prepared, type StandIns } from '@parley/postgres/prepared';
import type { Kysely, Selectable } from 'kysely';
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

/** All of the workspace's bots, oldest first. */
export async function listBots(db: Kysely<Tables>, workspaceId: string): Promise<BotRow[]> {
  return db
    .selectFrom('bot')
    .select(botColumns)
    .where('workspaceId', '=', workspaceId)
    .orderBy('id')
    .execute();
}

/** The bot's versions, newest first. */
export async function listBotVersions(
  db: Kysely<Tables>,
  workspaceId: string,
  botId: string,
): Promise<BotVersion[]> {
  return db
    .selectFrom('botVersion')
    .select(fieldsOf(BotVersion))
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .orderBy('version', 'desc')
    .execute();
}

/** The definition of a version, or undefined when there is none. */
export async function loadDefinition(
  db: Kysely<Tables>,
  workspaceId: string,
  botId: string,
  version: number,
): Promise<BotDefinition | undefined> {
  const row = await db
    .selectFrom('botVersion')
    .select('definition')
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.definition;
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
