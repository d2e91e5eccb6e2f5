import { STATUS_CODES } from 'node:http';
import {
  counter,
  gauge,
  histogram,
  observedGauge,
  observedUpDownCounter,
} from '@parley/runtime/metrics/metrics';
import type { Backlog } from './scheduling/backlog.ts';
import { warningShares } from './scheduling/attempts/failing.ts';

export const attempts = counter({
  name: 'parley.webhook.attempts',
  unit: '{attempt}',
  description: 'Finished attempts of deliveries',
  attributes: ['outcome', 'error.type'],
});

export const attemptDuration = histogram({
  name: 'parley.webhook.attempt.duration',
  description: 'Duration of attempts, with the answer',
  attributes: ['outcome', 'error.type'],
  // Attempts time out after 20 seconds.
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 15, 20, 21],
});

export const firstAttemptDelay = histogram({
  name: 'parley.webhook.first_attempt.delay',
  description: 'Time from a completion to the start of the first attempt of each delivery',
  attributes: ['responsive'],
  boundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 300, 1_800, 7_200],
});

export const ownFaults = counter({
  name: 'parley.webhook.own_faults',
  unit: '{attempt}',
  description: 'Attempts that a fault on our side prevented',
  attributes: ['error.type'],
});

export const breakerMoves = counter({
  name: 'parley.webhook.breaker.moves',
  unit: '{move}',
  description: 'Breakers that opened, again after a failed probe, or closed',
  attributes: ['to'],
});

export const failingWarnings = counter({
  name: 'parley.webhook.failing',
  unit: '{warning}',
  description: 'Warnings that a webhook will be deactivated unless it succeeds',
  attributes: ['share'],
});

export const deactivations = counter({
  name: 'parley.webhook.disabled',
  unit: '{webhook}',
  description: 'Webhooks that were deactivated because they failed',
});

export const egressUp = gauge({
  name: 'parley.webhook.egress.up',
  // Not `1`, which Prometheus shows as a ratio.
  unit: '{replica}',
  description: '1 while this replica can send, 0 while a fault on our side prevents it',
});

export const oldestDue = observedGauge({
  name: 'parley.webhook.oldest_due.age',
  unit: 's',
  description: 'Age of the oldest due delivery that could be sent, in the lanes of this replica',
});

export const openBreakers = observedUpDownCounter({
  name: 'parley.webhook.breakers.open',
  unit: '{breaker}',
  description: 'Open breakers of webhooks with open deliveries, in the lanes of this replica',
});

export const pausedLanes = observedUpDownCounter({
  name: 'parley.webhook.lanes.paused',
  unit: '{lane}',
  description: 'Paused webhooks with open deliveries, in the lanes of this replica',
});

export const ownedShards = observedUpDownCounter({
  name: 'parley.webhook.shards',
  unit: '{shard}',
  description: 'Shards that this replica owns',
});

export const shardsSince = observedGauge({
  name: 'parley.webhook.shards.since',
  unit: 's',
  description: 'When this replica last gained or lost shards, as a Unix time',
});

/** Starts the counters at 0: a series that starts with its first event shows no increase. */
export function startMetrics(): void {
  for (const to of ['open', 'closed']) breakerMoves.add({ to }, 0);
  for (const share of warningShares) failingWarnings.add({ share }, 0);
  for (const fault of ['egress', 'defect']) ownFaults.add({ 'error.type': fault }, 0);
  deactivations.add({}, 0);
}

/** Counts a finished attempt. `error` is an `AttemptError`. */
export function recordAttempt(outcome: string, error: string | null, durationMs: number): void {
  const attributes = { outcome, ...(error && { 'error.type': errorLabel(error) }) };
  attempts.add(attributes);
  attemptDuration.record(durationMs / 1_000, attributes);
}

/** Returns the error of an attempt for a label. A hostile receiver can answer with any of 900 statuses. */
export function errorLabel(error: string): string {
  const [, status] = /^http_(\d+)$/.exec(error) ?? [];
  return status !== undefined && !(status in STATUS_CODES) ? 'http_other' : error;
}

/** Reads the backlog at each export, until disposed. */
export function watchBacklog(read: () => Backlog): Disposable {
  const stack = new DisposableStack();
  stack.use(oldestDue.observe((report) => report(read().oldestDueSeconds)));
  stack.use(openBreakers.observe((report) => report(read().openBreakers)));
  stack.use(pausedLanes.observe((report) => report(read().pausedLanes)));
  return stack;
}

/** Reads at each export how many shards this replica owns, and since when, until disposed. */
export function watchShards(read: () => { shards: number; sinceMs: number | undefined }): Disposable {
  const stack = new DisposableStack();
  stack.use(ownedShards.observe((report) => report(read().shards)));
  stack.use(
    shardsSince.observe((report) => {
      const { sinceMs } = read();
      if (sinceMs !== undefined) report(sinceMs / 1_000);
    }),
  );
  return stack;
}
