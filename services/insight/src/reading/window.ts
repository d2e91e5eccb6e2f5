const hourMs = 3_600_000;

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

/** Returns the beginning of the UTC hour of an instant. */
export function beginOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

/** Returns the end of the UTC hour of an instant: the instant itself, if an hour begins with it. */
export function endOfHour(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / hourMs) * hourMs);
}
