import type { Logger } from '@parley/runtime/logger';
import type { Kysely } from 'kysely';
import { disableFailing } from '../deliveries/end-store.ts';
import type { Tables } from '../schema.ts';
import { failingDaysMax, hasFailedTooLong, type Warning, warningOf } from '../rules/failing.ts';
import type { Lane } from '../rules/lane.ts';
import type { Metrics } from '../metrics.ts';

/** What is broadcast about a webhook that was disabled because it failed for days. */
export interface Disabled {
  workspaceId: string;
  webhookId: string;
  /** Its first failure after its last success. */
  failingSince: Date | null;
}

/** What is broadcast before that. */
export interface Failing extends Disabled, Pick<Warning, 'share'> {
  disabledAt: Date;
}

export interface FollowUpOptions {
  db: Kysely<Tables>;
  logger: Logger;
  metrics: Metrics;
  /** Called once for each webhook that is disabled, after the commit. */
  onDisabled: (disabled: Disabled) => void;
  /** Called once for each share of the days, after the warning was saved. */
  onFailing: (failing: Failing) => void;
}

/** What follows from an attempt. */
interface Consequences {
  /** Where the breaker has moved. */
  moved: 'open' | 'closed' | undefined;
  nowMs: number;
  /** Saves the lane. False when it could not be saved. */
  save: () => Promise<boolean>;
}

/** Reports a breaker that has moved, warns of failing webhooks, and disables them after five days. Never rejects. */
export async function followUp(
  lane: Lane,
  { moved, nowMs, save }: Consequences,
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
        `webhook disabled: no success for ${failingDaysMax} days`,
      );
      metrics.disabled();
      onDisabled({ workspaceId, webhookId, failingSince });
      return;
    }
    const warning = warningOf(lane, nowMs);
    if (!warning) return;
    const { share, dueAtMs, disabledAtMs } = warning;
    // At once, so that no other attempt gives the same warning.
    Object.assign(lane, { warnedForMs: dueAtMs, isDirty: true });
    const isSaved = await save().catch(() => false);
    if (!isSaved) {
      // The next failure warns.
      lane.warnedForMs = warnedForMs;
      return;
    }
    const failing = { workspaceId, webhookId, failingSince, share, disabledAt: new Date(disabledAtMs) };
    logger.warn(failing, 'webhook will be disabled unless it succeeds');
    metrics.failing(share);
    onFailing(failing);
  } catch (error) {
    logger.error({ err: error, workspaceId, webhookId }, 'a result is without its consequences');
  }
}
