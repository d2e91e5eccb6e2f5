import { usageFailure } from '../failure.ts';

const unitMs = { h: 3_600_000, d: 86_400_000 } as const;

/** Returns the instant that lies so far ahead: a whole number and `h` or `d`, such as `90d`. Throws a usage failure. */
export function instantIn(text: string, option: string, now = Date.now()): Date {
  const [, count = '', unit] = /^([1-9]\d{0,5})([hd])$/.exec(text) ?? [];
  if (unit === undefined)
    throw usageFailure(`${option}: ${text} is not a number of hours or days, such as 90d`);
  return new Date(now + Number(count) * unitMs[unit as keyof typeof unitMs]);
}
