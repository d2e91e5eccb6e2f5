import { usageFailure } from '../failure.ts';

/** Returns a parser of an option: a whole number from 1. Throws a `Failure` for other texts. */
export function wholeNumber(option: string, max = Number.POSITIVE_INFINITY): (text: string) => number {
  const range = Number.isFinite(max) ? `1 to ${max}` : '1';
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
    throw usageFailure(`${option} must be a whole number from ${range}`);
  };
}
