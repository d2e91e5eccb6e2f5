import type { Logger } from '@parley/runtime/logger';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import { disableFailing } from './end-store.ts';
import { breakerStep, failingDaysMax, hasFailedTooLong, type Warning, warningOf } from './lane-health.ts';
import { moveBreaker, noteWarning } from './lane-store.ts';
import type { Metrics } from './metrics.ts';
import type { SettledLane } from './settle-store.ts';

/** What is told about a webhook that was deactivated because it failed for days. */
export interface Disabled {
  workspaceId: string;
  webhookId: string;
  /** Its first failure after its last success. */
  failingSince: Date | null;
}

/** What is told before that, so that somebody can do something about it. */
export interface Failing extends Disabled, Pick<Warning, 'share' | 'disabledAt'> {}

/** The next results are not recorded before this is done, but claims and intake need connections too. */
const followUpsAtOnce = 3;

interface FollowUpOptions {
  db: Kysely<Tables>;
  logger: Logger;
  metrics: Metrics;
  /** Told once for each webhook, after the commit. */
  onDisabled: (disabled: Disabled) => void;
  /** Told once for each share, whichever copy finds out; after the commit. */
  onFailing: (failing: Failing) => void;
}

/**
 * Draws the consequences of a batch of results: breakers, warnings, and webhooks that are deactivated. The same again does
 * nothing. Where that fails, it is logged, and left to the next result of that lane; the others get theirs.
 */
export async function followUp(lanes: readonly SettledLane[], options: FollowUpOptions): Promise<void> {
  const left = lanes.values();
  const followUpRest = async (): Promise<void> => {
    for (const lane of left) {
      try {
        await followUpLane(lane, options);
      } catch (error) {
        const { workspaceId, webhookId } = lane;
        options.logger.error({ err: error, workspaceId, webhookId }, 'a result is without its consequences');
      }
    }
  };
  await Promise.all(Array.from({ length: followUpsAtOnce }, followUpRest));
}

async function followUpLane(lane: SettledLane, options: FollowUpOptions): Promise<void> {
  const { db, logger, metrics } = options;
  const { workspaceId, webhookId, failingSince } = lane;
  if (!lane.hasSucceeded && hasFailedTooLong(lane, Date.now())) {
    if (!(await disableFailing(db, { workspaceId, id: webhookId }))) return;
    logger.error(
      { workspaceId, webhookId, failingSince },
      `webhook disabled: no success for ${failingDaysMax} days`,
    );
    metrics.disabled();
    options.onDisabled({ workspaceId, webhookId, failingSince });
    return;
  }
  const warning = warningOf(lane, Date.now());
  if (warning && (await noteWarning(db, lane, warning))) {
    const { share, disabledAt } = warning;
    const failing = { workspaceId, webhookId, failingSince, share, disabledAt };
    logger.warn(failing, 'webhook will be disabled unless it succeeds');
    metrics.failing(share);
    options.onFailing(failing);
  }
  const step = breakerStep(lane);
  if (!step || !(await moveBreaker(db, lane, step))) return;
  metrics.breakerMoved(step.openings > 0 ? 'open' : 'closed');
  const { unanswered, windowAttempts, windowFailures } = lane;
  const why = { unanswered, windowAttempts, windowFailures };
  logger.warn({ workspaceId, webhookId, ...step, ...why }, 'breaker moved');
}
