import { usageFailure } from '../failure.ts';

/** Throws a `Failure` for other texts. */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw usageFailure(`${text} is not a number of deliveries`);
  return Number(text);
}
