const hourMs = 3_600_000;

export function beginOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

/** Returns the end of the UTC hour of an instant: the instant itself, if an hour begins with it. */
export function endOfHour(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / hourMs) * hourMs);
}
