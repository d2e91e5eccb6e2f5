import { audit, changesBetween } from '@parley/audit/rows';
import type { Retention } from '@parley/contracts/common/v1/common';
import type { RetentionChange, WorkspaceRetention } from '@parley/contracts/customer/v1/customer';
import { claimDue } from '@parley/postgres/due-work';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { requireUnchanged } from '@parley/runtime/errors';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { RetentionTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;
type Days = Pick<Selectable<RetentionTable>, 'completedDays' | 'endedDays' | 'draftDays'>;

export type SweepPage = Days & Pick<Selectable<RetentionTable>, 'workspaceId' | 'version' | 'pageToken'>;

/** Another replica claims the page again after this time: its claimant has failed or died. */
const leaseSeconds = 30;

const columns = ['completedDays', 'endedDays', 'draftDays', 'version'] as const;
const forEver = { completedDays: null, endedDays: null, draftDays: null, version: 0 };

/** Without settings, a workspace keeps interactions for ever. */
export async function loadRetention(db: Db, workspaceId: string): Promise<WorkspaceRetention> {
  const row = await db
    .selectFrom('retention')
    .select(columns)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return toMessage(row ?? forEver);
}

/**
 * Changes the settings. The sweep of the workspace begins again, at once. ABORTED when their version is not
 * `ifVersion`.
 */
export async function saveRetention(
  db: Db,
  workspaceId: string,
  change: RetentionChange,
  ifVersion: number | null,
): Promise<WorkspaceRetention> {
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('retention')
      .values({ workspaceId, completedDays: null, endedDays: null, draftDays: null })
      .onConflict((conflict) => conflict.column('workspaceId').doNothing())
      .execute();
    const before = await trx
      .selectFrom('retention')
      .select(columns)
      .where('workspaceId', '=', workspaceId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    requireUnchanged(before.version, ifVersion);
    const days = changedDays(before, change);
    const isSame = columns.every((column) => column === 'version' || days[column] === before[column]);
    if (isSame) return toMessage(before);
    const row = await trx
      .updateTable('retention')
      .set({ ...days, version: before.version + 1, pageToken: '', dueAt: sql<Date>`now()` })
      .where('workspaceId', '=', workspaceId)
      .returning(columns)
      .executeTakeFirstOrThrow();
    const { version: _, ...daysBefore } = before;
    await audit(trx, {
      workspaceId,
      action: 'retention.updated',
      targets: [{ type: 'workspace', id: workspaceId }],
      changes: changesBetween(daysBefore, days),
    });
    return toMessage(row);
  });
}

export function changedDays(before: Retention, change: RetentionChange): Days {
  const after = (column: keyof Days): number | null => {
    const given = change[column];
    return given == null ? (before[column] ?? null) : given || null;
  };
  return {
    completedDays: after('completedDays'),
    endedDays: after('endedDays'),
    draftDays: after('draftDays'),
  };
}

function toMessage({ version, ...retention }: Days & { version: number }): WorkspaceRetention {
  return { retention, version };
}

/** Claims the next page of the sweep of the workspace whose turn it is. Returns undefined if none is due. */
export async function claimSweep(db: Db): Promise<SweepPage | undefined> {
  const [page] = await claimDue<SweepPage>(db, acrossWorkspaces('workspaces take turns'), {
    table: 'retention',
    isDue: sql`
      due_at <= now() and (completed_days is not null or ended_days is not null or draft_days is not null)`,
    orderBy: sql`due_at`,
    limit: 1,
    set: sql`due_at = now() + make_interval(secs => ${leaseSeconds})`,
    returning: sql`workspace_id, completed_days, ended_days, draft_days, version, page_token`,
  });
  return page;
}

/** Ends a page: the one with `pageToken` is due after so many seconds. Nothing changes if the settings did. */
export async function endSweepPage(
  db: Db,
  { workspaceId, version, pageToken: before }: SweepPage,
  { pageToken, dueInSeconds }: { pageToken: string; dueInSeconds: number },
): Promise<void> {
  await db
    .updateTable('retention')
    .set({ pageToken, dueAt: sql<Date>`now() + make_interval(secs => ${dueInSeconds})` })
    .where('workspaceId', '=', workspaceId)
    .where('version', '=', version)
    .where('pageToken', '=', before)
    .execute();
}
