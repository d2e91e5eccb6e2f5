import { STATUS_CODES } from 'node:http';
import { counter, gauge, histogram, observedGauge, observedNumber } from '@parley/runtime/metrics';
import type { Backlog } from './rules/backlog.ts';
import { warningShares } from './rules/failing.ts';

/** The service's metrics. They cost nothing unless they are exported (`startTelemetry`). */
export interface Metrics {
  /** Counts a finished attempt. `error` is an `AttemptError`. */
  attempted(outcome: { outcome: string; error: string | null; durationMs: number }): void;
  /** Records how long after the completion the first attempt starts, and whether its lane was free. */
  firstAttempt(delayMs: number, isResponsive: boolean): void;
  /** Counts an attempt that a fault on our side prevented: of all deliveries, or a defect with this one. */
  ownFault(fault: 'egress' | 'defect'): void;
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

/** The attempts by result. */
export const attempts = counter({
  name: 'parley.webhook.attempts',
  unit: '{attempt}',
  description: 'Finished attempts of deliveries',
  attributes: ['outcome', 'error.type'],
});

/** The attempts by duration. They time out after 20 seconds. */
export const attemptDuration = histogram({
  name: 'parley.webhook.attempt.duration',
  description: 'Duration of attempts, with the answer',
  attributes: ['outcome', 'error.type'],
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 15, 20, 21],
});

/** The delays of first attempts. */
export const firstAttemptDelay = histogram({
  name: 'parley.webhook.first_attempt.delay',
  description: 'Time from a completion to the start of the first attempt of each delivery',
  attributes: ['responsive'],
  boundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 300, 1_800, 7_200],
});

/** The attempts that were not made. */
export const ownFaults = counter({
  name: 'parley.webhook.own_faults',
  unit: '{attempt}',
  description: 'Attempts that a fault on our side prevented',
  attributes: ['error.type'],
});

/** The changes of breakers. */
export const breakerMoves = counter({
  name: 'parley.webhook.breaker.moves',
  unit: '{move}',
  description: 'Breakers that opened, again after a failed probe, or closed',
  attributes: ['to'],
});

/** The warnings before a deactivation. */
export const failing = counter({
  name: 'parley.webhook.failing',
  unit: '{warning}',
  description: 'Warnings that a webhook will be deactivated unless it succeeds',
  attributes: ['share'],
});

/** The deactivations. */
export const disabled = counter({
  name: 'parley.webhook.disabled',
  unit: '{webhook}',
  description: 'Webhooks that were deactivated because they failed',
});

/** Whether this replica can send. */
export const egressUp = gauge({
  name: 'parley.webhook.egress.up',
  // Not `1`, which Prometheus shows as a ratio.
  unit: '{replica}',
  description: '1 while this replica can send, 0 while a fault on our side prevents it',
});

/** How far this replica is behind. */
export const oldestDue = observedGauge({
  name: 'parley.webhook.oldest_due.age',
  unit: 's',
  description: 'Age of the oldest due delivery that could be sent, in the lanes of this replica',
});

/** The open breakers. */
export const openBreakers = observedNumber({
  name: 'parley.webhook.breakers.open',
  unit: '{breaker}',
  description: 'Open breakers of webhooks with open deliveries, in the lanes of this replica',
});

/** The paused lanes. */
export const pausedLanes = observedNumber({
  name: 'parley.webhook.lanes.paused',
  unit: '{lane}',
  description: 'Paused webhooks with open deliveries, in the lanes of this replica',
});

/** Starts the counters. */
export function startMetrics(): Metrics {
  // At 0: a series that starts with its first event shows no increase.
  for (const to of ['open', 'closed']) breakerMoves.add({ to }, 0);
  for (const share of warningShares) failing.add({ share }, 0);
  for (const fault of ['egress', 'defect']) ownFaults.add({ 'error.type': fault }, 0);
  disabled.add({}, 0);
  return {
    attempted: ({ outcome, error, durationMs }) => {
      const attributes = { outcome, ...(error && { 'error.type': errorLabel(error) }) };
      attempts.add(attributes);
      attemptDuration.record(durationMs / 1_000, attributes);
    },
    firstAttempt: (delayMs, responsive) =>
      firstAttemptDelay.record(Math.max(0, delayMs) / 1_000, { responsive }),
    ownFault: (fault) => ownFaults.add({ 'error.type': fault }),
    breakerMoved: (to) => breakerMoves.add({ to }),
    failing: (share) => failing.add({ share }),
    disabled: () => disabled.add({}),
    egressIs: (up) => egressUp.set(Number(up)),
    watchBacklog,
  };
}

/** Returns the error of an attempt for a label. A hostile receiver can answer with any of 900 statuses. */
export function errorLabel(error: string): string {
  const [, status] = /^http_(\d+)$/.exec(error) ?? [];
  return status !== undefined && !(status in STATUS_CODES) ? 'http_other' : error;
}

function watchBacklog(read: () => Backlog): Disposable {
  const stack = new DisposableStack();
  stack.use(oldestDue.observe((report) => report(read().oldestDueSeconds)));
  stack.use(openBreakers.observe((report) => report(read().openBreakers)));
  stack.use(pausedLanes.observe((report) => report(read().pausedLanes)));
  return stack;
}
