import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables, WebhookKey } from '../schema.ts';
import { type BreakerStep, inFlightFirst, type LaneAfter, type Warning } from './lane-health.ts';

type Db = Kysely<Tables>;

/** So many deliveries are made due by one statement. */
const releasedMax = 10_000;

/**
 * Opens or closes the breaker of a lane. Either way the counts begin anew, and one delivery at a time is made at first.
 * A longer pause that the receiver has asked for goes on when it opens. False when somebody else has moved it since it
 * was read, or, for opening, something has succeeded since, or the counts have begun anew: its reason is gone.
 */
export async function moveBreaker(
  db: Db,
  lane: WebhookKey & Pick<LaneAfter, 'openings' | 'windowAttempts' | 'windowFailures'>,
  step: BreakerStep,
): Promise<boolean> {
  const pausedUntil =
    step.pauseMs === null
      ? sql<null>`null::timestamptz`
      : sql<Date>`greatest(paused_until, now() + ${step.pauseMs}::float8 * interval '1 millisecond')`;
  const { numUpdatedRows } = await db
    .updateTable('lane')
    .set({
      openings: step.openings,
      pausedUntil,
      pauseReason: sql`case when ${pausedUntil} = paused_until then pause_reason end`,
      readyAt: sql`case
        when ready_at is null then null
        when ${step.pauseMs}::float8 is null then greatest(now(), next_token_at)
        else greatest(ready_at, ${pausedUntil}) end`,
      isFull: false,
      inFlightMax: inFlightFirst,
      unanswered: 0,
      windowStartedAt: sql`now()`,
      windowAttempts: 0,
      windowFailures: 0,
    })
    .where('workspaceId', '=', lane.workspaceId)
    .where('webhookId', '=', lane.webhookId)
    .where('openings', '=', lane.openings)
    .$if(step.openings > 0, (query) =>
      query
        .where('windowAttempts', '>=', lane.windowAttempts)
        .where(sql`window_attempts - window_failures`, '<=', lane.windowAttempts - lane.windowFailures),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Notes that a warning is given. False when it was given before, or its lane or webhook is no longer as it was. */
export async function noteWarning(
  db: Db,
  { workspaceId, webhookId }: WebhookKey,
  { dueAt }: Warning,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lane')
    .set({ warnedFor: dueAt })
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .where('failingSince', '<', dueAt)
    .where((eb) => eb.or([eb('warnedFor', 'is', null), eb('warnedFor', '<', dueAt)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook')
          .where('webhook.id', '=', webhookId)
          .where('webhook.workspaceId', '=', workspaceId)
          .where('isActive', '=', true)
          .select('webhook.id'),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * A lane without a past: nothing pauses it, and what waits can be taken at once, also what a pause of its receiver had put
 * off. In a transaction: between its statements no claim may find that nothing is due yet.
 */
export async function resetLane(
  trx: Transaction<Tables>,
  { workspaceId, webhookId }: WebhookKey,
): Promise<void> {
  const lane = await trx
    .updateTable('lane')
    .set({
      readyAt: sql`case when ready_at is not null then greatest(now(), next_token_at) end`,
      pausedUntil: null,
      pauseReason: null,
      isFull: false,
      isPrompt: sql`default`,
      inFlightMax: sql`default`,
      openings: 0,
      unanswered: 0,
      windowStartedAt: sql`now()`,
      windowAttempts: 0,
      windowFailures: 0,
      failingSince: null,
      failingAgainAt: null,
    })
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .returning(sql<Date | null>`old.paused_until`.as('pausedUntil'))
    .executeTakeFirst();
  if (!lane?.pausedUntil) return;
  await sql`
    update open_delivery set due_at = now()
    where workspace_id = ${workspaceId} and id = any(array(
      select id from open_delivery
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and lease_token is null
        and due_at > now() and due_at <= ${lane.pausedUntil}::timestamptz + interval '1 millisecond'
      limit ${sql.lit(releasedMax)} for update skip locked))`.execute(trx);
}

/** What an operator looks at first. */
export interface Backlog {
  /**
   * Seconds since when the oldest delivery has been due that nobody has taken although it could be: its lane is ready, and
   * its breaker closed. 0 when there is none.
   */
  oldestDueSeconds: number;
  /** Lanes whose breaker is open, of those that have something open: of others nobody finds out whether it could close. */
  openBreakers: number;
  /** Lanes that wait with what they have open because their receiver wants it, or for the breaker. */
  pausedLanes: number;
}

/** For metrics; looks at the lanes that have something open. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    ${acrossWorkspaces('metrics are about all deliveries')}
    select
      coalesce(extract(epoch from now() - min((
        select open_delivery.due_at from open_delivery
        where open_delivery.webhook_id = lane.webhook_id and lease_token is null and open_delivery.due_at <= now()
        order by open_delivery.due_at limit 1
      )) filter (where openings = 0 and ready_at <= now())), 0)::float8 as oldest_due_seconds,
      count(*) filter (where openings > 0)::int as open_breakers,
      count(*) filter (where paused_until > now())::int as paused_lanes
    from lane where ready_at is not null`.execute(db);
  return rows[0] ?? { oldestDueSeconds: 0, openBreakers: 0, pausedLanes: 0 };
}
