import type { Logger } from '@parley/runtime/logger';
import type { Kysely } from 'kysely';
import { disableFailing } from './end-store.ts';
import { breakerStep, hasFailedTooLong } from './lane-health.ts';
import { moveBreaker } from './lane-store.ts';
import type { Metrics } from './metrics.ts';
import type { Tables } from './schema.ts';
import type { SettledLane } from './settle-store.ts';

/** What is told about a webhook that was deactivated because it failed for days. */
export interface Disabled {
  workspaceId: string;
  webhookId: string;
  /** Its first failure after its last success. */
  failingSince: Date | null;
}

interface FollowUpOptions {
  db: Kysely<Tables>;
  logger: Logger;
  metrics: Metrics;
  /** Told once for each webhook, after the commit. */
  onDisabled: (disabled: Disabled) => void;
}

/** Draws the consequences of a batch of results: breakers, and webhooks that are deactivated. The same again does nothing. */
export async function followUp(lanes: readonly SettledLane[], options: FollowUpOptions): Promise<void> {
  const { db, logger, metrics } = options;
  for (const lane of lanes) {
    const { workspaceId, webhookId, failingSince } = lane;
    if (!lane.hasSucceeded && hasFailedTooLong(lane, Date.now())) {
      if (!(await disableFailing(db, { workspaceId, id: webhookId }))) continue;
      logger.error({ workspaceId, webhookId, failingSince }, 'webhook disabled: no success for five days');
      metrics.disabled();
      options.onDisabled({ workspaceId, webhookId, failingSince });
      continue;
    }
    const step = breakerStep(lane);
    if (!step || !(await moveBreaker(db, lane, step))) continue;
    metrics.breakerMoved(step.openings > 0 ? 'open' : 'closed');
    const { unanswered, windowAttempts, windowFailures } = lane;
    const why = { unanswered, windowAttempts, windowFailures };
    logger.warn({ workspaceId, webhookId, ...step, ...why }, 'breaker moved');
  }
}
