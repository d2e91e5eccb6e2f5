import type { Logger } from '@parley/runtime/telemetry/logger';
import { egressUp } from '../metrics.ts';
import type { Sender } from './attempt.ts';
import { OwnFault } from './attempt-error.ts';

const pauseMsMin = 1_000;
const pauseMsMax = 30_000;

/** Sends requests, and detects outages on our side. */
export interface Egress extends Pick<Sender, 'post'> {
  /**
   * Returns how many attempts may start, and in how many milliseconds: any number now, or in an outage one, the next
   * probe.
   */
  allowance(): { inMs: number; most: number };
}

interface EgressOptions {
  logger: Logger;
  onBack: () => void;
}

/**
 * Watches a sender for faults on our side. An `OwnFault` begins an outage. The first probe follows after a second,
 * further ones after delays that double, up to 30 seconds. The outage ends with the first attempt that reaches the
 * network: any result but `blocked_address`. Probes do not wait for each other, since a receiver may
 * be unresponsive.
 */
export function watchEgress(sender: Sender, { logger, onBack }: EgressOptions): Egress {
  const begin = (isUp: boolean) => {
    const sinceMs = performance.now();
    egressUp.set(Number(isUp));
    return { isUp, sinceMs, pauseMs: pauseMsMin, probeAtMs: sinceMs + pauseMsMin };
  };
  /** Replaced when an outage begins or ends. Results of attempts that began in another phase are ignored. */
  let phase = begin(true);

  return {
    post: async (request) => {
      const begunIn = phase;
      const nowMs = performance.now();
      // An attempt that was granted just before the outage is sent too, but does not count as a probe.
      if (!phase.isUp && phase.probeAtMs <= nowMs) {
        phase.pauseMs = Math.min(pauseMsMax, phase.pauseMs * 2);
        phase.probeAtMs = nowMs + phase.pauseMs;
      }
      try {
        const result = await sender.post(request);
        if (result && result.error !== 'blocked_address' && begunIn === phase && !phase.isUp) {
          phase = begin(true);
          logger.warn({ outageMs: Math.round(phase.sinceMs - begunIn.sinceMs) }, 'the egress outage is over');
          onBack();
        }
        return result;
      } catch (error) {
        if (error instanceof OwnFault && begunIn === phase && phase.isUp) {
          phase = begin(false);
          logger.error({ err: error }, 'nothing can be sent because of a fault on our side: deliveries wait');
        }
        throw error;
      }
    },
    allowance: () =>
      phase.isUp
        ? { inMs: 0, most: Number.POSITIVE_INFINITY }
        : { inMs: Math.max(0, phase.probeAtMs - performance.now()), most: 1 },
  };
}
