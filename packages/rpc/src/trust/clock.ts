import type { Logger } from '@parley/runtime/telemetry/logger';
import { type GrantVerifier, keyGrantSeconds } from './grants.ts';
import { clockAheadOfIdentity } from '../metrics.ts';

/** Beyond this, grants are out of their time here. The gateway keeps one for three seconds before it uses it. */
const aheadMsMax = (keyGrantSeconds - 5) * 1_000;

/** The clock of this process, compared with identity's, by which grants end. */
export interface ClockWatch extends Disposable {
  /** False if they differ so much that calls with a grant fail. */
  isRight(): boolean;
}

/** Watches the clock at each call of `isRight`. Logs when it begins and ceases to be wrong. */
export function watchClock(
  grants: Pick<GrantVerifier, 'clockAheadMs'> | undefined,
  logger: Pick<Logger, 'error' | 'info'>,
): ClockWatch {
  let wasRight = true;
  const aheadMs = (): number | undefined => grants?.clockAheadMs();
  const observing = clockAheadOfIdentity.observe((report) => {
    const ms = aheadMs();
    if (ms !== undefined) report(ms / 1_000);
  });
  return {
    isRight: () => {
      const ms = aheadMs() ?? 0;
      const isRight = Math.abs(ms) <= aheadMsMax;
      if (isRight === wasRight) return isRight;
      wasRight = isRight;
      const line = { aheadSeconds: Math.round(ms / 1_000) };
      if (isRight) logger.info(line, 'the clock agrees with that of identity again');
      else logger.error(line, 'the clock differs from that of identity: calls fail until it is set');
      return isRight;
    },
    [Symbol.dispose]: () => observing[Symbol.dispose](),
  };
}
