import type { BotDefinition } from '@parley/bot/definition';
import { Bot, BotVersion } from '@parley/contracts/interaction/v1/bot';
import { scans } from '@parley/postgres/sql/dialect';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { type BotContactPolicy, contactPolicy, isUnpublished, liveReminders } from './live-sql.ts';
import type { BotTable, BotVersionTable, Tables } from '../schema.ts';

export type BotRow = Pick<Selectable<BotTable>, keyof Bot | 'workspaceId' | 'type' | 'typeLabel'>;

/** With the reminders of the live version and the policy of the workspace; null for none. */
export interface LoadedBot extends BotRow {
  /** Whether the live version only ends a conversation: the bot was created for the sake of its draft. */
  isUnpublished: boolean;
  reminders: number[] | null;
  contactPolicy: BotContactPolicy | null;
}

export interface Publication {
  bot: Pick<BotRow, 'name' | 'type' | 'typeLabel' | 'context'>;
  key: string;
  /** The definition as it was received. */
  text: string;
  digest: string;
  /** As of `BotVersionTable`. */
  reminders: number[] | null;
}

/** What a version keeps of its publication. */
export type Provenance = Pick<Insertable<BotVersionTable>, 'publishedBy' | 'note' | 'restoredFrom'>;

const botColumns = [
  ...fieldsOf(Bot),
  'workspaceId',
  'type',
  'typeLabel',
] as const satisfies (keyof BotTable)[];

const loaded = (db: Kysely<Tables>, workspaceId: Placeholders<{ workspaceId: string }>['workspaceId']) =>
  db
    .selectFrom('bot')
    .select([
      ...botColumns,
      isUnpublished.as('isUnpublished'),
      liveReminders.as('reminders'),
      contactPolicy.as('contactPolicy'),
    ])
    .where('workspaceId', '=', workspaceId);

const selectBot = prepared((db: Kysely<Tables>, bot: Placeholders<{ workspaceId: string; id: string }>) =>
  loaded(db, bot.workspaceId).where('id', '=', bot.id),
);

const selectBotByKey = prepared(
  (db: Kysely<Tables>, bot: Placeholders<{ workspaceId: string; key: string }>) =>
    loaded(db, bot.workspaceId).where('key', '=', bot.key),
);

export async function loadBot(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<LoadedBot | undefined> {
  if (!isUuid(id)) return undefined;
  const [bot] = await selectBot(db, { workspaceId, id });
  return bot;
}

/** Returns the bot with this key, or without a key the one with this id. A given id must fit the key. */
export async function loadNamedBot(
  db: Kysely<Tables>,
  workspaceId: string,
  { id, key }: { id?: string | null | undefined; key?: string | null | undefined },
): Promise<LoadedBot | undefined> {
  if (typeof key !== 'string') return loadBot(db, workspaceId, id ?? '');
  const [bot] = await selectBotByKey(db, { workspaceId, key });
  return typeof id === 'string' && id !== bot?.id ? undefined : bot;
}

/** The rows per read: bots of at most some 4 KB, versions of at most some 500 bytes. */
const botsMax = 200;
const versionsMax = 500;

const versionColumns = fieldsOf(BotVersion, ['isLive']);

/** Oldest first. */
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

/**
 * Returns the bot's first versions, newest first, or the next ones behind `after`. Versions that were published since
 * the bot was read are left out.
 */
export async function listBotVersions(
  db: Kysely<Tables>,
  { workspaceId, id, version: live }: BotRow,
  after = live + 1,
): Promise<{ versions: BotVersion[]; nextAfter?: number | undefined }> {
  const rows = await db
    .selectFrom('botVersion')
    .select(versionColumns)
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', id)
    .where('version', '<', after)
    .orderBy('version', 'desc')
    .limit(sql.lit(versionsMax))
    .execute();
  const last = rows.at(-1)?.version ?? 1;
  const versions = rows.map((row) => ({ ...row, isLive: row.version === live }));
  return { versions, nextAfter: last > 1 ? last : undefined };
}

export async function loadBotVersion(
  db: Kysely<Tables>,
  { workspaceId, id, version: live }: BotRow,
  version: number,
): Promise<{ version: BotVersion; definition: string } | undefined> {
  const row = await db
    .selectFrom('botVersion')
    .select([...versionColumns, sql<string>`definition::text`.as('text')])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (!row) return undefined;
  const { text, ...fields } = row;
  return { version: { ...fields, isLive: version === live }, definition: text };
}

/** `bytes`: the JSON. */
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

export async function loadDigest(
  db: Kysely<Tables>,
  { workspaceId, id, version }: BotRow,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('botVersion')
    .select('digest')
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.digest;
}

/** The list of a workspace's bots and its digest are read as a whole. Most workspaces have a few dozen bots. */
export const botsPerWorkspaceMax = 1_000;

/** Each version keeps its whole definition. Few bots get one version a day, so more are the mistake of a program. */
export const versionsPerBotMax = 10_000;

/** Locks a workspace against new bots until the end of the transaction. */
export async function lockBots(trx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bots of ${workspaceId}`}, 0))`.execute(trx);
}

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
  bot: Pick<BotRow, 'id' | 'workspaceId'>,
  publication: Publication,
  provenance: Provenance,
): Promise<BotRow> {
  return db
    .with('made', (query) =>
      query
        .insertInto('bot')
        .values({ ...bot, key: publication.key, ...publication.bot })
        .returning(botColumns),
    )
    .with('published', (query) =>
      query.insertInto('botVersion').values({
        botId: bot.id,
        workspaceId: bot.workspaceId,
        version: 1,
        definition: publication.text,
        digest: publication.digest,
        reminders: publication.reminders,
        ...provenance,
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
  { publishedBy, note, restoredFrom }: Provenance,
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
        .columns([
          'botId',
          'workspaceId',
          'version',
          'definition',
          'digest',
          'reminders',
          'publishedBy',
          'note',
          'restoredFrom',
        ])
        .expression((from) =>
          from
            .selectFrom('moved')
            .select(({ val }) => [
              'moved.id',
              'moved.workspaceId',
              'moved.version',
              val(publication.text).as('definition'),
              val(publication.digest).as('digest'),
              sql<number[] | null>`${publication.reminders}::int[]`.as('reminders'),
              val(publishedBy).as('publishedBy'),
              val(note).as('note'),
              val(restoredFrom).as('restoredFrom'),
            ]),
        ),
    )
    .selectFrom('moved')
    .select(botColumns)
    .executeTakeFirst();
}
