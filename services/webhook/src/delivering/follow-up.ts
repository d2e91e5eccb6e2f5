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

/** Claims, records and intake need connections too. */
const followUpsAtOnce = 3;

interface FollowUpOptions {
  db: Kysely<Tables>;
  logger: Logger;
  metrics: Metrics;
  /** Told once for each webhook, after the commit. */
  onDisabled: (disabled: Disabled) => void;
  /** Told once for each share, whichever copy finds out; after the commit. */
  onFailing: (failing: Failing) => void;
  /** Told when a lane has had its consequences, or could not. */
  onFollowed: () => void;
}

/** What draws the consequences of results, beside the recording of the next ones. */
export interface FollowUps extends AsyncDisposable {
  /** Takes lanes that have consequences: see `hasConsequences`. */
  add(lanes: readonly SettledLane[]): void;
}

/**
 * Draws the consequences of results: breakers, warnings, and webhooks that are deactivated; of a lane one after the other. The
 * same again does nothing. Where that fails, it is logged, and left to the next result of that lane. What has not been begun when
 * this is disposed of is left to it too.
 */
export function startFollowingUp(options: FollowUpOptions): FollowUps {
  const waiting = new Map<string, SettledLane>();
  const underWay = new Map<string, Promise<void>>();

  const follow = async (lane: SettledLane): Promise<void> => {
    const { workspaceId, webhookId } = lane;
    try {
      await followUpLane(lane, options);
    } catch (error) {
      options.logger.error({ err: error, workspaceId, webhookId }, 'a result is without its consequences');
    }
    underWay.delete(webhookId);
    options.onFollowed();
    followWaiting();
  };

  const followWaiting = (): void => {
    for (const [webhookId, lane] of waiting) {
      if (underWay.size >= followUpsAtOnce) return;
      if (underWay.has(webhookId)) continue;
      waiting.delete(webhookId);
      underWay.set(webhookId, follow(lane));
    }
  };

  return {
    add: (lanes) => {
      for (const lane of lanes) waiting.set(lane.webhookId, together(waiting.get(lane.webhookId), lane));
      followWaiting();
    },
    [Symbol.asyncDispose]: async () => {
      if (waiting.size > 0) {
        options.logger.warn({ webhooks: waiting.size }, 'results are left without their consequences');
      }
      waiting.clear();
      await Promise.all(underWay.values());
    },
  };
}

/** A lane after two batches. */
function together(earlier: SettledLane | undefined, later: SettledLane): SettledLane {
  if (!earlier) return later;
  return {
    ...later,
    hasSucceeded: earlier.hasSucceeded || later.hasSucceeded,
    hasProbeFailed: earlier.hasProbeFailed || later.hasProbeFailed,
  };
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
