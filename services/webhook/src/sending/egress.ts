import type { Logger } from '@parley/runtime/logger';
import type { Sender } from './attempt.ts';
import { OwnFault } from './attempt-error.ts';

const pauseMsMin = 1_000;
const pauseMsMax = 30_000;

/** The way out of our network: whether anything goes out at present. */
export interface Egress extends Pick<Sender, 'post'> {
  /**
   * How many attempts may be begun, and in how many milliseconds: any number now, as long as all goes out; in an
   * outage one, the next probe.
   */
  allowance(): { inMs: number; most: number };
}

interface EgressOptions {
  logger: Logger;
  /** Told at the start, and whenever an outage begins or ends, whether this process can send. */
  metrics: { egressIs(up: boolean): void };
  /** Called when an outage is over. */
  onBack: () => void;
}

/**
 * Watches a sender for faults of ours (`OwnFault`). One begins an outage. A probe may be made a second after it, and
 * further ones after pauses that double, up to 30 seconds. The first that gets an outcome other than
 * `blocked_address`, for which nothing need go out, ends the outage. Probes do not wait for each other, since the
 * receiver of one may hang.
 */
export function watchEgress(sender: Sender, { logger, metrics, onBack }: EgressOptions): Egress {
  const begin = (isUp: boolean) => {
    const sinceMs = performance.now();
    metrics.egressIs(isUp);
    return { isUp, sinceMs, pauseMs: pauseMsMin, probeAtMs: sinceMs + pauseMsMin };
  };
  /** Replaced when an outage begins or ends: an attempt that began in another phase says nothing about this one. */
  let phase = begin(true);

  return {
    post: async (request) => {
      const begunIn = phase;
      const nowMs = performance.now();
      // An attempt that was taken just before the outage is sent as well, but is none of the probes.
      if (!phase.isUp && phase.probeAtMs <= nowMs) {
        phase.pauseMs = Math.min(pauseMsMax, phase.pauseMs * 2);
        phase.probeAtMs = nowMs + phase.pauseMs;
      }
      try {
        const result = await sender.post(request);
        if (result && result.error !== 'blocked_address' && begunIn === phase && !phase.isUp) {
          phase = begin(true);
          logger.warn({ outageMs: Math.round(phase.sinceMs - begunIn.sinceMs) }, 'deliveries go out again');
          onBack();
        }
        return result;
      } catch (error) {
        if (error instanceof OwnFault && begunIn === phase && phase.isUp) {
          phase = begin(false);
          logger.error({ err: error }, 'nothing goes out for a reason of ours: deliveries wait');
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
