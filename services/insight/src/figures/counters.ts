import type { EvaluationFact_Kind } from '@parley/contracts/interaction/v1/facts';

/** The states of a started interaction. They add up to `started`. */
export const states = ['completed', 'expired', 'stalled', 'active'] as const;

export type State = (typeof states)[number];

/** What is counted about a step: by how many interactions it was seen, and so on. */
export const stepCounts = ['seen', 'answered', 'skipped', 'dropped'] as const;

export type StepCount = (typeof stepCounts)[number];

/** The two times to complete. `elapsed` has all pauses, `attended` at most 30 minutes of each. */
export const times = ['elapsed', 'attended'] as const;

export type Time = (typeof times)[number];

/** How the values of an evaluation key are counted. */
export type Kind = EvaluationFact_Kind;

/**
 * A counter. As a text its parts are joined by `/`: the last one may contain anything, the others have no `/`.
 *
 * - `created`, `started`, `unknown` and the states
 * - `step`, what is counted, and the id of the step
 * - `way`, the id of the step that it leaves, and the id of the one to which it leads
 * - `time`, which one, and its bucket (`bucketOf`)
 * - `has`, the kind and the key: how many started interactions have the key with values of that kind
 * - `value`, the kind, the key, and the value
 */
export type Figure =
  | readonly ['created' | 'started' | 'unknown' | State]
  | readonly ['step', StepCount, stepId: string]
  | readonly ['way', fromStepId: string, toStepId: string]
  | readonly ['time', Time, bucket: string]
  | readonly ['has', Kind, key: string]
  | readonly ['value', Kind, key: string, value: string];

export function figureNameOf(figure: Figure): string {
  return figure.join('/');
}

/** Returns the counter of a name that `figureNameOf` has returned. */
export function figureOf(name: string): Figure {
  const parts = name.split('/');
  const lastAt = parts[0] === 'value' ? 3 : 2;
  const last = parts.slice(lastAt);
  const figure: readonly string[] = last.length > 0 ? [...parts.slice(0, lastAt), last.join('/')] : parts;
  return figure as Figure;
}

const hourMs = 3_600_000;

export function beginOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

/** Returns the end of the UTC hour of an instant: the instant itself, if an hour begins with it. */
export function endOfHour(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / hourMs) * hourMs);
}

// Fixed logarithmic buckets, so that a value can be subtracted later.

/** Each bucket is so many times as wide as the one before: its middle differs from its values by less than 5 %. */
const growth = 1.1;

/** Returns the bucket of a time in seconds: a whole number. All times below a second are in bucket 0. */
export function bucketOf(seconds: number): number {
  return seconds < 1 ? 0 : Math.floor(Math.log(seconds) / Math.log(growth)) + 1;
}

/** Returns the (geometric) middle of a bucket in seconds. */
export function middleOf(bucket: number): number {
  return bucket === 0 ? 0.5 : growth ** (bucket - 0.5);
}
