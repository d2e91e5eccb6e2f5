import type { ConversationServiceService } from '@parley/contracts/interaction/v1/conversation';
import type { RpcClient } from '@parley/rpc/definition';
import { clockAhead } from '@parley/runtime/metrics/process-metrics';
import { toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat } from '@parley/runtime/scheduling/schedule';
import { v7 as uuidv7 } from 'uuid';

/** The time by which sessions begin and end: the clock of a database, so that all gateways agree. */
export interface DatabaseClock {
  /** Returns epoch milliseconds. */
  nowMs(): number;
}

/** Two clocks drift apart by less than a millisecond meanwhile. */
const intervalMs = 15_000;
/** The time of an answer that took longer is too uncertain. */
const answerMsMax = 1_000;

/**
 * Follows the clock of the interaction service's database. Until its first answer it is the clock of this process.
 * After a failure, the last difference stays true.
 */
export function followDatabaseClock(
  conversations: Pick<RpcClient<typeof ConversationServiceService>, 'getTime'>,
  logger: Logger,
): DatabaseClock & AsyncDisposable {
  let aheadMs = 0;
  const compare = async (): Promise<void> => {
    const askedAtMs = performance.now();
    const answer = await conversations.getTime({}, { requestId: uuidv7() }).catch((error: unknown) => {
      // That a service is unavailable is reported elsewhere.
      if (toAppError(error).code === 'unavailable') return undefined;
      throw error;
    });
    const tookMs = performance.now() - askedAtMs;
    if (answer?.now && tookMs <= answerMsMax) aheadMs = Date.now() - tookMs / 2 - answer.now.getTime();
  };
  const schedule = repeat('compare the clock with the database', intervalMs, logger, compare);
  const observing = clockAhead.observe((report) => report(aheadMs / 1_000));
  return {
    nowMs: () => Date.now() - aheadMs,
    [Symbol.asyncDispose]: () => {
      observing[Symbol.dispose]();
      return schedule[Symbol.asyncDispose]();
    },
  };
}
