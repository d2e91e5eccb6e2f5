import type { Logger } from '@parley/runtime/logger';
import type { AttemptResult, Sender } from './attempt.ts';
import { OwnFault } from './attempt-error.ts';
import type { OutgoingRequest } from './request.ts';

const pauseMsMin = 1_000;
const pauseMsMax = 30_000;

/** The way out of our network: whether anything goes out at present. */
export interface Egress {
  /** As the sender does, and learns from it: in an outage, what is sent is the probe that ends it, or not. */
  post(request: OutgoingRequest): Promise<AttemptResult | undefined>;
  allowance(): Allowance;
}

/** How many attempts may be begun, and when. */
interface Allowance {
  /** In how many milliseconds; 0: now. */
  inMs: number;
  /** Any number as long as all goes out; in an outage one, the next probe. */
  most: number;
}

interface EgressOptions {
  logger: Logger;
  /** Told at the start, and whenever an outage begins or ends, whether this process can send. */
  metrics: { egressIs(up: boolean): void };
  /** Called when an outage is over. */
  onBack: () => void;
}

/**
 * Watches a sender for faults of ours (`OwnFault`). One begins an outage. A probe may be made a second after it, and further
 * ones after pauses that double, up to 30 seconds; the first that gets an outcome other than `blocked_address`, for which
 * nothing need go out, ends the outage. Probes do not wait for each other, since the receiver of one may hang.
 */
export function watchEgress(sender: Sender, { logger, metrics, onBack }: EgressOptions): Egress {
  let outage: { sinceMs: number; probeAtMs: number; pauseMs: number } | undefined;
  /** Raised by each change: what has begun before says nothing about what is now. */
  let changes = 0;

  const begin = (fault: OwnFault): void => {
    changes += 1;
    const sinceMs = performance.now();
    outage = { sinceMs, probeAtMs: sinceMs + pauseMsMin, pauseMs: pauseMsMin };
    metrics.egressIs(false);
    logger.error({ err: fault }, 'nothing goes out for a reason of ours: deliveries wait');
  };

  const end = (sinceMs: number): void => {
    changes += 1;
    outage = undefined;
    metrics.egressIs(true);
    logger.warn({ outageMs: Math.round(performance.now() - sinceMs) }, 'deliveries go out again');
    onBack();
  };

  metrics.egressIs(true);
  return {
    post: async (request) => {
      const nowMs = performance.now();
      // What was taken just before is sent as well: it says as much, but is none of the probes.
      if (outage && outage.probeAtMs <= nowMs) {
        outage.pauseMs = Math.min(pauseMsMax, outage.pauseMs * 2);
        outage.probeAtMs = nowMs + outage.pauseMs;
      }
      const begunAt = changes;
      try {
        const result = await sender.post(request);
        const wentOut = result && result.error !== 'blocked_address';
        if (wentOut && outage && begunAt === changes) end(outage.sinceMs);
        return result;
      } catch (error) {
        if (error instanceof OwnFault && !outage && begunAt === changes) begin(error);
        throw error;
      }
    },
    allowance: () =>
      outage
        ? { inMs: Math.max(0, outage.probeAtMs - performance.now()), most: 1 }
        : { inMs: 0, most: Number.POSITIVE_INFINITY },
  };
}
