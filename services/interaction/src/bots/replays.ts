import type { BotDefinition } from '@parley/bot/definition';
import { preparePlan } from '@parley/bot/plan';
import { compareCourses, type Course, type CourseDiff, type RecordedState, replay } from '@parley/bot/replay';
import type { Slices } from '@parley/bot/slices';
import type {
  ConversationDifference,
  Course as CourseMessage,
  DifferenceGroup,
} from '@parley/contracts/interaction/v1/bot';
import { replayLimits } from '@parley/contracts/limits';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { inSlices } from '../in-slices.ts';
import type { Tables } from '../schema.ts';
import { DifferenceGroups } from './difference-groups.ts';
import type { BotRow } from './store.ts';

/** Conversations per read: the state of one has up to 256 KiB. */
const pageSize = 50;

interface CompletedRow {
  id: string;
  botVersion: number;
  completedAt: Date;
  state: RecordedState;
}

interface Replays {
  replayed: number;
  differing: number;
  incomplete: number;
  differences: ConversationDifference[];
  groups: DifferenceGroup[];
}

/**
 * Replays the last completed conversations of a bot with a definition, and each with the version that it ran on. Only
 * what differs between the two is caused by the definition.
 */
export async function replayConversations(
  { db, compute, definitions }: Pick<Deps, 'db' | 'compute' | 'definitions'>,
  bot: BotRow,
  definition: BotDefinition,
  limit: number,
): Promise<Replays> {
  await inSlices(compute, preparePlan(definition));
  const replays: Replays = { replayed: 0, differing: 0, incomplete: 0, differences: [], groups: [] };
  const groups = new DifferenceGroups();
  let before: string | undefined;
  for (let left = limit; left > 0; ) {
    const rows = await lastCompleted(db, bot, before, Math.min(left, pageSize));
    for (const row of rows) {
      const own = await definitions.get(bot.workspaceId, bot.id, row.botVersion);
      count(replays, groups, row, await inSlices(compute, coursesOf(row.state, own, definition)));
    }
    left = rows.length < pageSize ? 0 : left - rows.length;
    before = rows.at(-1)?.id;
  }
  return { ...replays, groups: groups.list() };
}

/** Yields after each replay, so that other work can run. */
function* coursesOf(
  state: RecordedState,
  own: BotDefinition,
  definition: BotDefinition,
): Slices<{ before: Course; diff: CourseDiff | undefined }> {
  const before = replay(own, state);
  yield;
  return { before, diff: compareCourses(before, replay(definition, state)) };
}

function count(
  replays: Replays,
  groups: DifferenceGroups,
  { id, botVersion, completedAt }: CompletedRow,
  { before, diff }: { before: Course; diff: CourseDiff | undefined },
): void {
  replays.replayed += 1;
  // Its own version cannot repeat it either: the difference says nothing.
  if (before.stopped) replays.incomplete += 1;
  if (before.stopped || !diff) return;
  replays.differing += 1;
  const difference = {
    interactionId: id,
    botVersion,
    completedAt,
    before: messageOf(diff.before),
    after: messageOf(diff.after),
    takesAnotherWay: diff.takesAnotherWay,
    endsDifferently: diff.endsDifferently,
    evaluationKeys: diff.evaluation.map(({ key }) => key),
    hearsAnotherText: diff.texts.length > 0,
  };
  groups.add(diff, difference);
  if (replays.differences.length < replayLimits.differencesMax) replays.differences.push(difference);
}

function messageOf({ stepIds, endStepId, stopped }: Course): CourseMessage {
  const reasons = { 'no-answer': 'NoAnswer', refused: 'Refused' } as const;
  return {
    stepIds,
    endStepId: endStepId ?? undefined,
    stoppedAt: stopped?.stepId,
    stoppedBecause: stopped ? reasons[stopped.reason] : 'REASON_UNSPECIFIED',
  };
}

/** The conversation that was created last comes first. */
async function lastCompleted(
  db: Kysely<Tables>,
  { workspaceId, id: botId }: BotRow,
  before: string | undefined,
  limit: number,
): Promise<CompletedRow[]> {
  const { rows } = await sql<CompletedRow>`
    select id, bot_version, completed_at, state from interaction
    where workspace_id = ${workspaceId} and bot_id = ${botId} and status = 'Completed' and state is not null
      and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
    order by id desc limit ${limit}`.execute(scans(db));
  return rows;
}
