import { type BatchObservableCallback, metrics } from '@opentelemetry/api';
import { warningShares } from './rules/failing.ts';
import type { Backlog } from './rules/backlog.ts';

/** What operators can count; without an SDK that is switched on (`startTelemetry`) it costs nothing. */
export interface Metrics {
  /** An attempt is over. `error` is an `AttemptError`. */
  attempted(outcome: { outcome: string; error: string | null; durationMs: number }): void;
  breakerMoved(to: 'open' | 'closed'): void;
  /** A webhook has failed for this share of the time after which it is deactivated. */
  failing(share: number): void;
  /** A webhook was deactivated because it failed. */
  disabled(): void;
  /** Whether this process can send, as far as is up to us. */
  egressIs(up: boolean): void;
  /** Reads the backlog whenever an exporter asks for it, until it is disposed of. */
  watchBacklog(read: () => Backlog): Disposable;
}

/** Bounds of the histogram. An attempt may take 20 seconds, and then some to be given up. */
const durationsMs = [
  5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000, 15_000, 20_000, 21_000,
];

/** Starts to measure. The backlog is that of the lanes which this replica owns. */
export function startMetrics(): Metrics {
  const meter = metrics.getMeter('parley');
  const attempts = meter.createCounter('parley.webhook.attempts', {
    unit: '{attempt}',
    description: 'Attempts to deliver that are over',
  });
  const durations = meter.createHistogram('parley.webhook.attempt.duration', {
    unit: 'ms',
    description: 'How long attempts took, the answer included',
    advice: { explicitBucketBoundaries: durationsMs },
  });
  const breakerMoves = meter.createCounter('parley.webhook.breaker.moves', {
    unit: '{move}',
    description: 'Breakers of webhooks that opened, also once more after a probe, or closed',
  });
  const failing = meter.createCounter('parley.webhook.failing', {
    unit: '{warning}',
    description: 'Warnings that a webhook will be switched off unless it succeeds',
  });
  const disabled = meter.createCounter('parley.webhook.disabled', {
    unit: '{webhook}',
    description: 'Webhooks that were switched off because they failed',
  });
  // Counted from 0 on: of a series that begins with its first event, no increase is seen.
  for (const to of ['open', 'closed']) breakerMoves.add(0, { to });
  for (const share of warningShares) failing.add(0, { share });
  disabled.add(0);
  const egressUp = meter.createGauge('parley.webhook.egress.up', {
    // Not `1`, which Prometheus would take for a ratio.
    unit: '{copy}',
    description: '1 while this copy can send, 0 while it sends nothing for a reason of ours',
  });
  const oldestDue = meter.createObservableGauge('parley.webhook.oldest_due.age', {
    unit: 's',
    description: 'Age of the oldest due delivery that could be sent, in the lanes of this replica',
  });
  const openBreakers = meter.createObservableGauge('parley.webhook.breakers.open', {
    unit: '{breaker}',
    description: 'Open breakers of webhooks with something to deliver, in the lanes of this replica',
  });
  const pausedLanes = meter.createObservableGauge('parley.webhook.lanes.paused', {
    unit: '{lane}',
    description:
      'Webhooks whose deliveries wait for the receiver or the breaker, in the lanes of this replica',
  });
  const gauges = [oldestDue, openBreakers, pausedLanes];
  return {
    attempted: ({ outcome, error, durationMs }) => {
      const attributes = { outcome, ...(error && { 'error.type': error }) };
      attempts.add(1, attributes);
      durations.record(durationMs, attributes);
    },
    breakerMoved: (to) => breakerMoves.add(1, { to }),
    failing: (share) => failing.add(1, { share }),
    disabled: () => disabled.add(1),
    egressIs: (up) => egressUp.record(Number(up)),
    watchBacklog: (read) => {
      const observe: BatchObservableCallback = (result) => {
        const backlog = read();
        result.observe(oldestDue, backlog.oldestDueSeconds);
        result.observe(openBreakers, backlog.openBreakers);
        result.observe(pausedLanes, backlog.pausedLanes);
      };
      meter.addBatchObservableCallback(observe, gauges);
      return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, gauges) };
    },
  };
}
