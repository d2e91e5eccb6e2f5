import type { AlertLimit } from '@parley/deployment/limits';
import { prometheusName } from '@parley/runtime/metrics/prometheus-name';

/** An alert that names a cause. Its rule and the generated part of its runbook are made of this. */
export interface Cause {
  alert: string;
  /** `page` wakes a person, `warn` waits for working hours. */
  severity: 'page' | 'warn';
  /** How long the expression must hold. None: it fires at once. */
  forMinutes?: number;
  expr: string;
  /** When it fires, for the runbook. */
  when: string;
  /** What the alert says about the labels and `$value` of a series. */
  summary: string;
}

/** Returns the series of the metric of a limit. */
export function seriesOf({ metric, unit }: Pick<AlertLimit, 'metric' | 'unit'>): string {
  return prometheusName({ name: metric, unit: unit ?? '' }, 'gauge');
}

/** Returns the condition for which a limit is passed, such as `> 60`. */
export function beyond({ comparison, value }: AlertLimit): string {
  return `${comparison} ${value}`;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a duration in words: `2 minutes`, `300 ms`. */
export function duration(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds % size === 0) ?? ['ms', 0.001];
  const amount = Math.round(seconds / size);
  return unit === 'ms' || amount === 1 ? `${amount} ${unit}` : `${amount} ${unit}s`;
}

/** Returns the words in front of things beyond a limit: `more than 1,000 `, or none if a single one is too many. */
export function moreThan(limit: number): string {
  return limit === 0 ? '' : `more than ${limit.toLocaleString('en')} `;
}
