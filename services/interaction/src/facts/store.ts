import type { FactualState } from '@parley/bot/facts';
import type { KnownConversation } from '@parley/contracts/interaction/v1/facts';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { scans } from '@parley/postgres/dialect';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { InteractionTable, Tables } from '../schema.ts';

/** The part of an interaction that its facts need. */
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
    | 'createdAt'
    | 'startedAt'
    | 'completedAt'
    | 'stallsAt'
    | 'evaluation'
  > {
  /** Null until the conversation has started. Answers only without `steps`. */
  state: (FactualState & { activeSeconds?: number; lastTimestamp: number }) | null;
}

/** Longer values of evaluations are texts, which are not counted: several choices have at most 1,300 characters. */
const valueCharactersMax = 1_300;

const ofInteraction = sql.raw(
  [
    'id',
    'workspace_id',
    'bot_id',
    'bot_version',
    'status',
    'version',
    'is_import',
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
    'activeSeconds', interaction.state -> 'activeSeconds',
    'lastTimestamp', interaction.state -> 'lastTimestamp') end as state,
  (
    select json_object_agg(key, left(value, ${sql.lit(valueCharactersMax)}))
    from json_each_text(interaction.evaluation)
  ) as evaluation`;

/**
 * Returns those of the conversations that may differ from what is known, in any order, and the ids of those that do not
 * exist. One without an instant for its stall may have stalled: the bot decides.
 */
export async function changedConversations(
  db: Kysely<Tables>,
  known: readonly KnownConversation[],
): Promise<{ rows: FactualRow[]; missingIds: string[] }> {
  const { rows } = await sql<FactualRow & { knownId: string; isMissing: boolean }>`
    select known.id as known_id, interaction.id is null as is_missing, ${columns}
    from unnest(
      ${known.map((one) => one.workspaceId)}::uuid[],
      ${known.map((one) => one.interactionId)}::uuid[],
      ${known.map((one) => one.version)}::int[],
      ${known.map((one) => one.isStalled)}::boolean[]
    ) as known (workspace_id, id, version, is_stalled)
    left join interaction on interaction.workspace_id = known.workspace_id and interaction.id = known.id
    where interaction.id is null or interaction.version <> known.version
      or (interaction.status = 'InProgress' and interaction.stalls_at is null) <> known.is_stalled`.execute(
    scans(db),
  );
  const found = rows.filter(({ isMissing }) => !isMissing);
  return { rows: found, missingIds: rows.filter(({ isMissing }) => isMissing).map(({ knownId }) => knownId) };
}

/** Returns interactions of all workspaces behind an id, in the order of their ids. */
export async function conversationsBehind(
  db: Kysely<Tables>,
  after: string,
  limit: number,
): Promise<FactualRow[]> {
  const { rows } = await sql<FactualRow>`
    ${acrossWorkspaces('figures are built from the interactions of all workspaces')}
    select ${columns} from interaction where id > ${after}::uuid order by id limit ${limit}`.execute(
    scans(db),
  );
  return rows;
}

/** Returns how many interactions all workspaces have. */
export async function countAllInteractions(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    ${acrossWorkspaces('the progress of figures that are built from all interactions')}
    select coalesce(sum(n), 0)::bigint as total from interaction_count`.execute(scans(db));
  return rows[0]?.total ?? 0;
}
