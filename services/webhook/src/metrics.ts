import { type BatchObservableCallback, type Meter, metrics } from '@opentelemetry/api';
import { warningShares } from './rules/failing.ts';
import type { Backlog } from './rules/backlog.ts';

/** The service's metrics. They cost nothing unless telemetry is on (`startTelemetry`). */
export interface Metrics {
  /** Counts a finished attempt. `error` is an `AttemptError`. */
  attempted(outcome: { outcome: string; error: string | null; durationMs: number }): void;
  breakerMoved(to: 'open' | 'closed'): void;
  /** Counts a warning: a webhook has failed for this share of the time after which it is deactivated. */
  failing(share: number): void;
  /** Counts a webhook that was deactivated because it failed. */
  disabled(): void;
  /** Sets whether this process can send, faults of receivers aside. */
  egressIs(up: boolean): void;
  /** Reads the backlog at each export, until disposed. */
  watchBacklog(read: () => Backlog): Disposable;
}

/** Bounds of the histogram. An attempt times out after 20 seconds. */
const durationsMs = [
  5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000, 15_000, 20_000, 21_000,
];

/** Creates the instruments. */
export function startMetrics(): Metrics {
  const meter = metrics.getMeter('parley');
  const attempts = meter.createCounter('parley.webhook.attempts', {
    unit: '{attempt}',
    description: 'Finished attempts of deliveries',
  });
  const durations = meter.createHistogram('parley.webhook.attempt.duration', {
    unit: 'ms',
    description: 'Duration of attempts, with the answer',
    advice: { explicitBucketBoundaries: durationsMs },
  });
  const breakerMoves = meter.createCounter('parley.webhook.breaker.moves', {
    unit: '{move}',
    description: 'Breakers that opened, again after a failed probe, or closed',
  });
  const failing = meter.createCounter('parley.webhook.failing', {
    unit: '{warning}',
    description: 'Warnings that a webhook will be deactivated unless it succeeds',
  });
  const disabled = meter.createCounter('parley.webhook.disabled', {
    unit: '{webhook}',
    description: 'Webhooks that were deactivated because they failed',
  });
  // Start at 0: a series that starts with its first event shows no increase.
  for (const to of ['open', 'closed']) breakerMoves.add(0, { to });
  for (const share of warningShares) failing.add(0, { share });
  disabled.add(0);
  const egressUp = meter.createGauge('parley.webhook.egress.up', {
    // Not `1`, which Prometheus shows as a ratio.
    unit: '{replica}',
    description: '1 while this replica can send, 0 while a fault on our side prevents it',
  });
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
    watchBacklog: (read) => watchBacklog(meter, read),
  };
}

function watchBacklog(meter: Meter, read: () => Backlog): Disposable {
  const oldestDue = meter.createObservableGauge('parley.webhook.oldest_due.age', {
    unit: 's',
    description: 'Age of the oldest due delivery that could be sent, in the lanes of this replica',
  });
  const openBreakers = meter.createObservableGauge('parley.webhook.breakers.open', {
    unit: '{breaker}',
    description: 'Open breakers of webhooks with open deliveries, in the lanes of this replica',
  });
  const pausedLanes = meter.createObservableGauge('parley.webhook.lanes.paused', {
    unit: '{lane}',
    description: 'Paused webhooks with open deliveries, in the lanes of this replica',
  });
  const observe: BatchObservableCallback = (result) => {
    const backlog = read();
    result.observe(oldestDue, backlog.oldestDueSeconds);
    result.observe(openBreakers, backlog.openBreakers);
    result.observe(pausedLanes, backlog.pausedLanes);
  };
  const gauges = [oldestDue, openBreakers, pausedLanes];
  meter.addBatchObservableCallback(observe, gauges);
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, gauges) };
}
