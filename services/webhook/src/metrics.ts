import { type BatchObservableCallback, metrics } from '@opentelemetry/api';
import type { Kysely } from 'kysely';
import { readBacklog } from './lane-store.ts';
import type { Tables } from './schema.ts';

/** What operators can count; without an SDK that is switched on (`startTelemetry`) it costs nothing. */
export interface Metrics extends Disposable {
  /** An attempt is over. `error` is an `AttemptError`. */
  attempted(outcome: { outcome: string; error: string | null; durationMs: number }): void;
  breakerMoved(to: 'open' | 'closed'): void;
  /** A webhook has failed for this share of the time after which it is deactivated. */
  failing(share: number): void;
  /** A webhook was deactivated because it failed. */
  disabled(): void;
  /** Whether this process can send, as far as is up to us. */
  egressIs(up: boolean): void;
}

/** Begins to measure. The backlog is read from the database whenever it is asked for: every copy tells the same. */
export function startMetrics(db: Kysely<Tables>): Metrics {
  const meter = metrics.getMeter('parley');
  const attempts = meter.createCounter('parley.webhook.attempts');
  const durations = meter.createHistogram('parley.webhook.attempt.duration', { unit: 'ms' });
  const breakerMoves = meter.createCounter('parley.webhook.breaker.moves');
  const failing = meter.createCounter('parley.webhook.failing');
  const disabled = meter.createCounter('parley.webhook.disabled');
  const egressUp = meter.createGauge('parley.webhook.egress.up');
  const oldestDue = meter.createObservableGauge('parley.webhook.oldest_due.age', { unit: 's' });
  const openBreakers = meter.createObservableGauge('parley.webhook.breakers.open');
  const pausedLanes = meter.createObservableGauge('parley.webhook.lanes.paused');
  const gauges = [oldestDue, openBreakers, pausedLanes];
  const observe: BatchObservableCallback = async (result) => {
    const backlog = await readBacklog(db);
    result.observe(oldestDue, backlog.oldestDueSeconds);
    result.observe(openBreakers, backlog.openBreakers);
    result.observe(pausedLanes, backlog.pausedLanes);
  };
  meter.addBatchObservableCallback(observe, gauges);
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
    [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, gauges),
  };
}
