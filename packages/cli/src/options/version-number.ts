import { usageFailure } from '../failure.ts';

/** Throws a `Failure` for other texts. */
export function readVersionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageFailure(`${text} is not the number of a version`);
}
