import { inTime } from '@parley/runtime/scheduling/in-time';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { watchClock } from '../trust/clock.ts';
import type { GrantVerifier } from '../trust/grants.ts';
import type { Standings } from './standing.ts';

export interface ReadinessOptions {
  isReady: () => Promise<boolean>;
  /** The peers of the process. While they refuse it, it is not ready. */
  standings?: Standings;
  /** Without the right clock, they verify no grant. */
  grants?: GrantVerifier;
  logger: Logger;
}

export interface Readiness extends Disposable {
  /** Answers within half a second. */
  isReady(): Promise<boolean>;
}

export function watchReadiness({ isReady, standings, grants, logger }: ReadinessOptions): Readiness {
  const clock = watchClock(grants, logger);
  // Each by itself, so that a peer that hangs does not delay what is known of the database.
  const isServing = inTime(isReady, false);
  const areGood = inTime(async () => (await standings?.areGood()) ?? true, true);
  return {
    isReady: async () => {
      const isRight = clock.isRight();
      const [serving, good] = await Promise.all([isServing(), areGood()]);
      return serving && good && isRight;
    },
    [Symbol.dispose]: () => clock[Symbol.dispose](),
  };
}
