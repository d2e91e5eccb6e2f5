import {
  type ExportInteractionsRequest,
  Interaction_Status,
} from '@parley/contracts/interaction/v1/interaction';
import { scans } from '@parley/postgres/sql/dialect';
import { invalidRequest } from '@parley/runtime/errors';
import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { loadNamedBot } from '../bots/store.ts';
import { neverStalls } from '../stopped-sql.ts';
import type { ListedInstant, Priority, Status, Tables } from '../schema.ts';
import { priorityOf, statusOf } from '../interactions/message.ts';

/** A period. `from` is inclusive, `to` exclusive. */
export interface Period {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A step at which interactions have stopped. */
export interface Stop {
  step: string;
  /** Only conversations on this version of the bot. */
  botVersion?: number | undefined;
  neverStall: readonly number[];
}

export type Ids = SelectQueryBuilder<Tables, 'interaction', { id: string }>;

/** Filters of a workspace's interactions, combined with `and`. */
export interface Filters {
  workspaceId: string;
  status?: Status | undefined;
  priority?: Priority | undefined;
  botId?: string | undefined;
  customerId?: string | undefined;
  periods: ReadonlyMap<ListedInstant, Period>;
  /** Entries `key:value`. */
  evaluation: readonly string[];
  stop?: Stop | undefined;
  /** Only test interactions, or only others. */
  isTest?: boolean | undefined;
}

type FilterRequest = Omit<ExportInteractionsRequest, 'cursor' | 'withUnsettled' | 'isFirst'>;

/** Undefined if no interaction can match the filters: there is no such bot. */
export async function filtersOf(db: Kysely<Tables>, request: FilterRequest): Promise<Filters | undefined> {
  const { workspaceId, botKey } = request;
  let botId = request.botId ?? undefined;
  if (botId !== undefined && !isUuid(botId)) return undefined;
  if (typeof botKey === 'string') {
    botId = (await loadNamedBot(db, workspaceId, { id: botId, key: botKey }))?.id;
    if (botId === undefined) return undefined;
  }
  const periods = periodsOf(request);
  return {
    workspaceId,
    status: statusOf(request.status),
    priority: priorityOf(request.priority),
    botId,
    customerId: request.customerId ?? undefined,
    periods,
    evaluation: request.evaluation,
    stop: await stopOf(db, request, botId),
    isTest: request.isTest ?? undefined,
  };
}

function periodsOf(request: FilterRequest): Filters['periods'] {
  const periods = new Map<ListedInstant, Period>();
  const add = (instant: ListedInstant, from?: Date | null, to?: Date | null): void => {
    if (from || to) periods.set(instant, { from: from ?? undefined, to: to ?? undefined });
  };
  add('created', request.createdFrom, request.createdTo);
  add('updated', request.updatedFrom);
  add('completed', request.completedFrom, request.completedTo);
  return periods;
}

async function stopOf(
  db: Kysely<Tables>,
  { workspaceId, stoppedAt, botVersion }: FilterRequest,
  botId: string | undefined,
): Promise<Stop | undefined> {
  if (typeof stoppedAt !== 'string') return undefined;
  if (botId === undefined)
    throw invalidRequest([{ pointer: '/botId', detail: 'Is required with stoppedAt' }]);
  const neverStall = await versionsThatNeverStall(db, workspaceId, botId);
  return { step: stoppedAt, botVersion: botVersion ?? undefined, neverStall };
}

export function countedColumns({ workspaceId, status, priority, botId }: Filters) {
  return withoutAbsent({ workspaceId, status, priority, botId });
}

/** Whether an interaction that expires begins or ceases to match. */
export function isChangedByExpiry({ status, stop, periods }: Filters): boolean {
  return status !== undefined || stop !== undefined || periods.has('updated');
}

export async function versionsThatNeverStall(
  db: Kysely<Tables>,
  workspaceId: string,
  botId: string,
): Promise<number[]> {
  const rows = await scans(db)
    .selectFrom('botVersion')
    .select('version')
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', botId)
    .where(sql<boolean>`coalesce(never_stalls, ${neverStalls()})`)
    .execute();
  return rows.map(({ version }) => version);
}

/** How many filters there are besides the workspace. A period counts once. */
export function countFilters(filters: Filters): number {
  const { status, priority, botId, customerId, stop, periods, evaluation, isTest } = filters;
  const equal = Object.keys(withoutAbsent({ status, priority, botId, customerId, stop, isTest }));
  return equal.length + periods.size + evaluation.length;
}

/** Returns the ids of the interactions that match. A filter by an evaluation entry alone reads them from its index. */
export function filtered(db: Kysely<Tables>, filters: Filters): Ids {
  const { workspaceId, evaluation } = filters;
  const [first, ...others] = evaluation;
  if (first === undefined || evaluation.length < countFilters(filters)) return filteredRows(db, filters);
  const entries = entriesOf(db, workspaceId, first).select('interactionId as id').as('interaction');
  // Its only column is all that lists use.
  const ids = db.selectFrom(entries).select('id') as unknown as Ids;
  return withEntries(db, ids, workspaceId, others);
}

/** As `filtered`, and all columns of the interactions can be used. */
export function filteredRows(db: Kysely<Tables>, filters: Filters): Ids {
  const { workspaceId, status, priority, botId, customerId, periods, evaluation, stop, isTest } = filters;
  let query = db
    .selectFrom('interaction')
    .select('id')
    .where(({ and }) => and(withoutAbsent({ workspaceId, status, priority, botId, customerId })));
  for (const [instant, { from, to }] of periods) {
    if (from) query = query.where(`${instant}At`, '>=', from);
    if (to) query = query.where(`${instant}At`, '<', to);
  }
  if (periods.has('updated') && status === undefined) query = query.where(ofAnyStatus);
  if (stop) query = stoppedAt(query, stop);
  // Figures count no tests, so a list of a step has none.
  if (isTest !== undefined || stop) query = query.where(isTest ? ofTest : ofNoTest);
  return withEntries(db, query, workspaceId, evaluation);
}

/** True. The index of `updated_at` has the status before it, so the planner reads it once for each. */
const ofAnyStatus = sql<SqlBool>`status in (${sql.join(
  Object.values(Interaction_Status)
    .filter((status) => status !== Interaction_Status.STATUS_UNSPECIFIED)
    .map((status) => sql.lit(status)),
)})`;

/** As in the condition of the index. */
const ofTest = sql<SqlBool>`is_test`;
const ofNoTest = sql<SqlBool>`not is_test`;

/** The condition of the index, in its words, without which the planner cannot use it. */
const hasStopped = sql<SqlBool>`
  last_step is not null and not is_import
  and (status = 'Expired' or (status = 'InProgress' and stalls_at is null))`;

/** Returns the interactions that the figures of the bot count as dropped at the step. */
function stoppedAt(query: Ids, { step, botVersion, neverStall }: Stop): Ids {
  let stopped = query.where('lastStep', '=', step).where(hasStopped);
  if (botVersion !== undefined) stopped = stopped.where('botVersion', '=', botVersion);
  if (neverStall.length === 0) return stopped;
  return stopped.where((is) =>
    is.or([is('status', '=', 'Expired'), is('botVersion', '<>', sql<number>`all(${neverStall}::int[])`)]),
  );
}

function withEntries(db: Kysely<Tables>, query: Ids, workspaceId: string, entries: readonly string[]): Ids {
  let all = query;
  for (const entry of entries) {
    const found = entriesOf(db, workspaceId, entry).where(
      'interactionId',
      '=',
      sql<string>`${sql.ref('interaction.id')}`,
    );
    all = all.where((is) => is.exists(found.select(sql.lit(1).as('one'))));
  }
  return all;
}

function entriesOf(db: Kysely<Tables>, workspaceId: string, entry: string) {
  return db
    .selectFrom('evaluationValue')
    .where('workspaceId', '=', workspaceId)
    .where('digest', '=', sql<string>`evaluation_digest(${entry})`);
}

function withoutAbsent<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}
