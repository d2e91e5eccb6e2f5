import type { Logger } from '@parley/runtime/telemetry/logger';
import { disableFailing } from '../deliveries/end-store.ts';
import { breakerMoves, deactivations, failingWarnings } from '../metrics.ts';
import { failingDaysMax, hasFailedTooLong, warningOf } from '../scheduling/attempts/failing.ts';
import type { BreakerMove, Lane } from '../scheduling/lane.ts';
import type { Db } from '../schema.ts';

export interface FollowUpOptions {
  db: Db;
  logger: Logger;
}

/**
 * Reports the new state of a breaker that has moved, warns of failing webhooks, and deactivates them after five days.
 * `save` saves the lane, and returns false if it could not. Never rejects.
 */
export async function followUp(
  lane: Lane,
  { moved, nowMs, save }: { moved: BreakerMove; nowMs: number; save: () => Promise<boolean> },
  options: FollowUpOptions,
): Promise<void> {
  const { db, logger } = options;
  const { workspaceId, webhookId, openings, warnedForMs } = lane;
  const failingSince = lane.failingSinceMs === null ? null : new Date(lane.failingSinceMs);
  try {
    if (moved) {
      breakerMoves.add({ to: moved });
      const { pausedUntilMs } = lane;
      logger.warn({ workspaceId, webhookId, to: moved, openings, pausedUntilMs }, 'breaker changed state');
      await save();
    }
    if (hasFailedTooLong(lane, nowMs)) {
      if (!(await disableFailing(db, lane))) return;
      const disabled = { workspaceId, webhookId, failingSince };
      logger.error(disabled, `webhook deactivated: no success for ${failingDaysMax} days`);
      deactivations.add({});
      return;
    }
    const warning = warningOf(lane, nowMs);
    if (!warning) return;
    const { share, dueAtMs, disabledAtMs } = warning;
    // Set before the save, so that no other attempt gives the same warning.
    Object.assign(lane, { warnedForMs: dueAtMs, isDirty: true });
    const isSaved = await save().catch(() => false);
    if (!isSaved) {
      // The next failure warns.
      lane.warnedForMs = warnedForMs;
      return;
    }
    const failing = { workspaceId, webhookId, failingSince, share, disabledAt: new Date(disabledAtMs) };
    logger.warn(failing, 'webhook will be deactivated unless it succeeds');
    failingWarnings.add({ share });
  } catch (error) {
    logger.error({ err: error, workspaceId, webhookId }, 'the follow-up of a delivery result failed');
  }
}
