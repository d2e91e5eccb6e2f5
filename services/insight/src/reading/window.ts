import { beginOfHour, endOfHour } from '../figures/hours.ts';

/** A span of time: `from` inclusive, `to` exclusive. */
export interface Window {
  from: Date;
  to: Date;
}

/** Returns the UTC hours that the window touches. */
export function hoursOf({ from, to }: Window): Window {
  return { from: beginOfHour(from), to: endOfHour(to) };
}

/** Returns the window of the same length that ends where this one begins. */
export function windowBefore({ from, to }: Window): Window {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from };
}
