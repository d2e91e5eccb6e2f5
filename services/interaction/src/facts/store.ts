import type { FactualState } from '@parley/bot/facts';
import type {
  ChangedConversation,
  ChangePlace,
  KnownConversation,
} from '@parley/contracts/interaction/v1/facts';
import { reads, scans } from '@parley/postgres/sql/dialect';
import { isDataException } from '@parley/postgres/connecting/errors';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { storeName } from '@parley/postgres/store-name';
import { tableOf } from '@parley/postgres/sql/arrays';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { InteractionTable, Tables } from '../schema.ts';

export interface FactualRow
  extends Pick<
    Selectable<InteractionTable>,
    | 'id'
    | 'workspaceId'
    | 'botId'
    | 'botVersion'
    | 'status'
    | 'version'
    | 'isImport'
    | 'isTest'
    | 'createdAt'
    | 'startedAt'
    | 'completedAt'
    | 'stallsAt'
    | 'evaluation'
  > {
  /** Null until the conversation has started. Answers only without `steps`. */
  state: (FactualState & { activeSeconds?: number; lastTimestamp: number }) | null;
  /** Whether the server cannot read its JSON: then it has no state and no evaluation. */
  isUnknown: boolean;
}

const ofAll = acrossWorkspaces('figures are built from the interactions of all workspaces');

/** Longer values of evaluations are texts, which are not counted: a matrix has at most 2,640 characters. */
const valueCharactersMax = 2_640;

const ofInteraction = sql.raw(
  [
    'id',
    'workspace_id',
    'bot_id',
    'bot_version',
    'status',
    'version',
    'is_import',
    'is_test',
    'created_at',
    'started_at',
    'completed_at',
    'stalls_at',
  ]
    .map((column) => `interaction.${column}`)
    .join(', '),
);

const columns = sql`
  ${ofInteraction},
  case when interaction.state is not null then json_build_object(
    'stepId', interaction.state -> 'stepId', 'steps', interaction.state -> 'steps',
    'answers', case when interaction.state -> 'steps' is null then interaction.state -> 'answers' end,
    'ways', interaction.state -> 'ways', 'ownWords', interaction.state -> 'ownWords',
    'activeSeconds', interaction.state -> 'activeSeconds', 'lastTimestamp', interaction.state -> 'lastTimestamp') end as state,
  (
    select json_object_agg(key, left(value, ${sql.lit(valueCharactersMax)}))
    from json_each_text(interaction.evaluation)
  ) as evaluation,
  false as is_unknown`;

/** What is known of rows whose JSON cannot be read. */
const bareColumns = sql`${ofInteraction}, null::json as state, null::json as evaluation, true as is_unknown`;

/**
 * Returns the conversations that may differ from what is known, in any order, and the ids of missing ones. One without
 * an instant for its stall may have stalled: the bot decides. A row whose JSON the server cannot read does not fail the
 * others: it is unknown.
 */
export async function changedConversations(
  db: Kysely<Tables>,
  known: readonly KnownConversation[],
): Promise<{ rows: FactualRow[]; missingIds: string[] }> {
  const rows = await eachReadable(known, (part, isReadable) => readChanged(db, part, isReadable));
  const found = rows.filter(({ isMissing }) => !isMissing);
  return { rows: found, missingIds: rows.filter(({ isMissing }) => isMissing).map(({ knownId }) => knownId) };
}

async function readChanged(db: Kysely<Tables>, known: readonly KnownConversation[], isReadable: boolean) {
  const { rows } = await sql<FactualRow & { knownId: string; isMissing: boolean }>`
    select known.id as known_id, interaction.id is null as is_missing, ${isReadable ? columns : bareColumns}
    from ${tableOf('known', known, {
      workspaceId: ['uuid', (one) => one.workspaceId],
      id: ['uuid', (one) => one.interactionId],
      version: ['int', (one) => one.version],
      isStalled: ['boolean', (one) => one.isStalled],
    })}
    left join interaction on interaction.workspace_id = known.workspace_id and interaction.id = known.id
    where interaction.id is null or interaction.version <> known.version
      or (interaction.status = 'InProgress' and interaction.stalls_at is null) <> known.is_stalled`.execute(
    scans(db),
  );
  return rows;
}

/** Returns interactions of all workspaces behind an id, in the order of their ids. Unreadable ones are included. */
export async function conversationsBehind(
  db: Kysely<Tables>,
  after: string,
  limit: number,
): Promise<FactualRow[]> {
  const { rows: page } = await sql<{ id: string }>`
    ${ofAll}
    select id from interaction where id > ${after}::uuid order by id limit ${limit}`.execute(scans(db));
  const ids = page.map(({ id }) => id);
  return eachReadable(ids, async (part, isReadable) => {
    const { rows } = await sql<FactualRow>`
      ${ofAll}
      select ${isReadable ? columns : bareColumns}
      from interaction where id = any(${part}::uuid[]) order by id`.execute(scans(db));
    return rows;
  });
}

/**
 * Reads rows at once. If the server rejects a value of one of them (SQLSTATE class 22), halves the read until it has
 * found it, and reads that row as one that is not readable.
 */
async function eachReadable<Item, Row>(
  items: readonly Item[],
  read: (part: readonly Item[], isReadable: boolean) => Promise<Row[]>,
): Promise<Row[]> {
  if (items.length === 0) return [];
  try {
    return await read(items, true);
  } catch (error) {
    if (!isDataException(error)) throw error;
    if (items.length === 1) return read(items, false);
    const middle = Math.ceil(items.length / 2);
    const halves = [items.slice(0, middle), items.slice(middle)];
    const [first = [], second = []] = await Promise.all(halves.map((half) => eachReadable(half, read)));
    return [...first, ...second];
  }
}

/** The transactions of the server, as a statement has seen them. */
export interface Transactions {
  /** All changes of transactions before this one are visible. */
  horizon: number;
  /** No transaction from this one on has begun. */
  next: number;
  /** The store of the interactions, as of `storeName`. */
  server: string;
}

/** Returns which transactions a statement that begins now sees. Take it before the read that it is about. */
export async function readTransactions(db: Kysely<Tables>): Promise<Transactions> {
  const { rows } = await sql<Transactions>`
    ${acrossWorkspaces('transactions belong to the server')}
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next,
      ${storeName('interaction')} as server`.execute(reads(db));
  const [found] = rows;
  if (!found) throw new Error('a select without a table has a row');
  return found;
}

/**
 * Returns the interactions that have changed behind each place, at most `limit` of a workspace, oldest change first.
 * Reads index entries of the changes only. Rows with the transactions of another server are not changes here: after a
 * move, all interactions are counted again.
 */
export async function changedBehind(
  db: Kysely<Tables>,
  places: readonly ChangePlace[],
  limit: number,
): Promise<ChangedConversation[]> {
  const { rows } = await sql<ChangedConversation>`
    ${acrossWorkspaces('each place has its workspace')}
    select place.workspace_id, changed.transaction, changed.id as interaction_id, changed.version
    from ${tableOf('place', places, {
      workspaceId: ['uuid', (one) => one.workspaceId],
      transaction: ['xid8', (one) => one.transaction],
      id: ['uuid', (one) => one.interactionId],
    })}
    cross join lateral (
      select id, version, changed_in, changed_in::text::bigint as transaction from interaction
      where workspace_id = place.workspace_id and (changed_in, id) > (place.transaction, place.id)
        and changed_in < pg_snapshot_xmax(pg_current_snapshot())
      order by changed_in, id limit ${limit}
    ) as changed
    order by place.workspace_id, changed.changed_in, changed.id`.execute(scans(db));
  return rows;
}

export async function countAllInteractions(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    ${acrossWorkspaces('the progress of figures that are built from all interactions')}
    select coalesce(sum(n), 0)::bigint as total from interaction_count`.execute(scans(db));
  return rows[0]?.total ?? 0;
}
