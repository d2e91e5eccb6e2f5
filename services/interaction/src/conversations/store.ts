import { fenceVersion } from '@parley/postgres/fence';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { anyRowOf, hiddenFromPlanner } from '@parley/postgres/sql/hidden-from-planner';
import { type Placeholders, prepared } from '@parley/postgres/connecting/prepared';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { tableOf } from '@parley/postgres/sql/arrays';
import { type JoinBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { isDue } from '../interactions/lifecycle.ts';
import type { LinkSubject } from '../interactions/link-token.ts';
import {
  type InteractionKey,
  type InteractionRow,
  interactionColumns,
  unexpired,
} from '../interactions/store.ts';
import type { Tables } from '../schema.ts';
import type { ValidSession } from './visibility.ts';
import type { Known } from './watch.ts';

export interface ConversationRow extends InteractionRow {
  /** The version of the customer's fence at creation. */
  fenceVersion: number;
  /** The current name, whichever version the conversation runs on. */
  botName: string;
}

/** The columns whose size `bytes` is. */
const contentColumns = ['context', 'state', 'transcript', 'evaluation'] as const;

type ContentColumn = (typeof contentColumns)[number];

/** As `loadInteraction`, with the bot's name, in one statement. */
export const loadConversation = unexpired(
  prepared((db: Kysely<Tables>, key: Placeholders<InteractionKey>) =>
    selectConversation(db, key).select(contentColumns.map((column) => `interaction.${column}` as const)),
  ),
);

/** Content of this size is large. Most conversations stay far below. */
const largeBytesMin = 32 * 1024;
const isLarge = sql<boolean>`interaction.bytes >= ${sql.lit(largeBytesMin)}`;

/** A conversation, without its content if that is large. */
type LightConversationRow =
  | (ConversationRow & { isLarge: false })
  | (Omit<ConversationRow, ContentColumn> & { isLarge: true });

/** As `loadConversation`, without content that is large. */
export const loadLightConversation = unexpired(
  prepared((db: Kysely<Tables>, key: Placeholders<InteractionKey>) =>
    selectConversation(db, key)
      .select(isLarge.as('isLarge'))
      .select(
        contentColumns.map((column) => {
          const content = sql.ref(`interaction.${column}`);
          return sql`case when not ${isLarge} then ${content} end`.as(column);
        }),
      )
      .$castTo<LightConversationRow>(),
  ),
);

function selectConversation(db: Kysely<Tables>, key: Placeholders<InteractionKey>) {
  const isContent = (column: string): column is ContentColumn =>
    (contentColumns as readonly string[]).includes(column);
  return db
    .selectFrom('interaction')
    .innerJoin('bot', ofInteraction)
    .select(
      interactionColumns.flatMap((column) => (isContent(column) ? [] : [`interaction.${column}` as const])),
    )
    .select(['interaction.fenceVersion', 'bot.name as botName'])
    .where('interaction.workspaceId', '=', key.workspaceId)
    .where('interaction.id', '=', key.id);
}

export interface Linked
  extends Pick<InteractionRow, 'workspaceId' | 'customerId' | 'status' | 'linkVersion' | 'availableFrom'> {
  botName: string;
}

/**
 * Returns the interaction of a link, also of a revoked one (another `linkVersion`). It is Expired if its time is over,
 * but the row is not changed. Not limited to a workspace: a token does not name one, and its MAC proves the id.
 */
export async function findLinked(
  db: Kysely<Tables>,
  { id }: LinkSubject,
  now: Date,
): Promise<Linked | undefined> {
  const found = await db
    .selectFrom('interaction')
    .innerJoin('bot', ofInteraction)
    .select(['interaction.workspaceId', 'interaction.status', 'interaction.linkVersion'])
    .select(['interaction.expiresAt', 'interaction.availableFrom', 'interaction.customerId'])
    .select('bot.name as botName')
    .where('interaction.id', '=', id)
    .modifyEnd(acrossWorkspaces('a link: its MAC proves the id, and it names no workspace'))
    .executeTakeFirst();
  return found && isDue(found, now) ? { ...found, status: 'Expired' } : found;
}

/** An interaction that waits for its customer, and how many more do. */
export interface Waiting
  extends Pick<
    InteractionRow,
    'id' | 'status' | 'type' | 'priority' | 'expiresAt' | 'botId' | 'customerId' | 'context' | 'isTest'
  > {
  /** The version that the conversation runs on, or would start with. */
  botVersion: number;
  botName: string;
  more: number;
}

/** How many waiting interactions of a customer are compared as a small read. More are very rare. */
const comparedMax = 100;

/** Returns the first interaction that waits for the session: by priority, then in progress, then the oldest. */
export async function findWaiting(
  db: Kysely<Tables>,
  session: ValidSession,
  now: Date,
): Promise<Waiting | undefined> {
  const found = await firstOf(db, session, now, comparedMax);
  return found && found.more + 1 >= comparedMax ? firstOf(scans(db), session, now, null) : found;
}

/** Without a limit, all interactions that wait for the session are compared. */
function firstOf(
  db: Kysely<Tables>,
  { workspaceId, subject, fenceVersion }: ValidSession,
  now: Date,
  limit: number | null,
): Promise<Waiting | undefined> {
  // As in `visible`.
  const ofSubject =
    subject.$case === 'customerId'
      ? sql<SqlBool>`customer_id = ${subject.value}
          and greatest(fence_version, redacted_version) <= ${fenceVersion}::int`
      : sql<SqlBool>`id = ${subject.value.interactionId} and link_version = ${subject.value.linkVersion}`;
  // The status is spelled out as in the partial index.
  const ids = db
    .selectFrom('interaction')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where(ofSubject)
    .where(sql<SqlBool>`status in ('Pending', 'InProgress')`)
    .where(sql<SqlBool>`(expires_at is null or expires_at > ${now})`)
    .where(sql<SqlBool>`(available_from is null or available_from <= ${now} or status <> 'Pending')`)
    .limit(hiddenFromPlanner(limit, 'bigint'));
  return db
    .selectFrom('interaction')
    .innerJoin('bot', ofInteraction)
    .select([
      'interaction.id',
      'interaction.status',
      'interaction.type',
      'interaction.priority',
      'interaction.expiresAt',
      'interaction.botId',
      'interaction.customerId',
      'interaction.context',
      'interaction.isTest',
      sql<number>`coalesce(interaction.bot_version, bot.version)`.as('botVersion'),
      'bot.name as botName',
      sql<number>`count(*) over () - 1`.as('more'),
    ])
    .where('interaction.workspaceId', '=', workspaceId)
    .where('interaction.id', '=', anyRowOf(ids))
    .orderBy(sql`array_position(array['High', 'Medium', 'Low'], interaction.priority)`)
    .orderBy(sql`interaction.status = 'InProgress' desc`)
    .orderBy('interaction.createdAt')
    .orderBy('interaction.id')
    .limit(1)
    .executeTakeFirst();
}

export async function databaseTime(db: Kysely<Tables>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(reads(db));
  const [row] = rows;
  if (!row) throw new Error('a select without a table has one row');
  return row.now;
}

/** 0 without a fence. */
export async function loadFenceVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  customerId: string,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select ${fenceVersion({ workspaceId, customerId })} as version`.execute(reads(db));
  return rows[0]?.version ?? 0;
}

/** Undefined if the message was not accepted. */
export async function findMessage(
  db: Kysely<Tables>,
  workspaceId: string,
  interactionId: string,
  clientMessageId: string,
): Promise<Buffer | undefined> {
  const message = await db
    .selectFrom('message')
    .select('fingerprint')
    .where('workspaceId', '=', workspaceId)
    .where('interactionId', '=', interactionId)
    .where('clientMessageId', '=', clientMessageId)
    .executeTakeFirst();
  return message?.fingerprint;
}

/** Returns the interactions that have changed since they were read, or are deleted. */
export async function findChanged(
  db: Kysely<Tables>,
  known: Known[],
): Promise<{ id: string; version: number }[]> {
  const { rows } = await sql<{ id: string; version: number }>`
    select known.id, coalesce(max(interaction.version), max(known.version) + 1) as version
    from ${tableOf('known', known, {
      workspaceId: ['uuid', (row) => row.workspaceId],
      id: ['uuid', (row) => row.id],
      version: ['int', (row) => row.version],
    })}
    left join interaction on interaction.workspace_id = known.workspace_id and interaction.id = known.id
    where interaction.id is null or interaction.version > known.version
    group by known.id`.execute(scans(db));
  return rows;
}

function ofInteraction(join: JoinBuilder<Tables, 'bot' | 'interaction'>) {
  return join
    .onRef('bot.id', '=', 'interaction.botId')
    .onRef('bot.workspaceId', '=', 'interaction.workspaceId');
}
