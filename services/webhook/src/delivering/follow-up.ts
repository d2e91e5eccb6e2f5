import type { Logger } from '@parley/runtime/logger';
import { disableFailing } from '../deliveries/end-store.ts';
import type { Db } from '../schema.ts';
import { failingDaysMax, hasFailedTooLong, type Warning, warningOf } from '../rules/failing.ts';
import type { BreakerMove, Lane } from '../rules/lane.ts';
import type { Metrics } from '../metrics.ts';

/** The broadcast about a webhook that was deactivated because it failed for days. */
export interface Disabled {
  workspaceId: string;
  webhookId: string;
  /** Its first failure after its last success. */
  failingSince: Date | null;
}

/** The broadcast that warns before that. */
export interface Failing extends Disabled, Pick<Warning, 'share'> {
  disabledAt: Date;
}

export interface FollowUpOptions {
  db: Db;
  logger: Logger;
  metrics: Metrics;
  /** Called once for each webhook that is deactivated, after the commit. */
  onDisabled: (disabled: Disabled) => void;
  /** Called once for each warning, after it was saved. */
  onFailing: (failing: Failing) => void;
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
  const { db, logger, metrics, onDisabled, onFailing } = options;
  const { workspaceId, webhookId, openings, warnedForMs } = lane;
  const failingSince = lane.failingSinceMs === null ? null : new Date(lane.failingSinceMs);
  try {
    if (moved) {
      metrics.breakerMoved(moved);
      logger.warn({ workspaceId, webhookId, openings, pausedUntilMs: lane.pausedUntilMs }, 'breaker moved');
      await save();
    }
    if (hasFailedTooLong(lane, nowMs)) {
      if (!(await disableFailing(db, lane))) return;
      logger.error(
        { workspaceId, webhookId, failingSince },
        `webhook deactivated: no success for ${failingDaysMax} days`,
      );
      metrics.disabled();
      onDisabled({ workspaceId, webhookId, failingSince });
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
    metrics.failing(share);
    onFailing(failing);
  } catch (error) {
    logger.error({ err: error, workspaceId, webhookId }, 'the consequences of a result failed');
  }
}
