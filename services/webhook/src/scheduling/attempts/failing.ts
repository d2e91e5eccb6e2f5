const hour = 60 * 60 * 1_000;

/** A webhook that has failed for this time is deactivated. */
export const failingDaysMax = 5;
export const failingMsMax = failingDaysMax * 24 * hour;
/** The shares of that time after which warnings are due, last first. */
export const warningShares = [0.9, 0.7, 0.5];
/** Further failures must follow after this time: one failure of a rarely used webhook does not last for days. */
const failuresApartMs = 12 * hour;

/** Since when a webhook has been failing. Instants are by the database clock. */
export interface Failing {
  failingSinceMs: number | null;
  /** The first failure at least twelve hours later. */
  failingAgainAtMs: number | null;
  /** When the last given warning became due. */
  warnedForMs: number | null;
}

/** A warning that a webhook will be deactivated unless it succeeds. */
export interface Warning {
  /** The share of the time until then that has passed. */
  share: number;
  dueAtMs: number;
  disabledAtMs: number;
}

export function failed({ failingSinceMs, failingAgainAtMs }: Failing, nowMs: number): Partial<Failing> {
  if (failingSinceMs === null) return { failingSinceMs: nowMs };
  const isAgain = failingAgainAtMs === null && nowMs - failingSinceMs >= failuresApartMs;
  return isAgain ? { failingAgainAtMs: nowMs } : {};
}

/** Returns whether a webhook has failed for five days, with a failure in between. */
export function hasFailedTooLong({ failingSinceMs, failingAgainAtMs }: Failing, nowMs: number): boolean {
  // A third failure after another twelve hours: a clock that jumps by days deactivates nothing.
  const hasThree = failingAgainAtMs !== null && nowMs - failingAgainAtMs >= failuresApartMs;
  return failingSinceMs !== null && hasThree && nowMs - failingSinceMs >= failingMsMax;
}

/** Returns the warning that is due, after 50, 70 and 90 % of the days. Undefined if none is due, or it was given. */
export function warningOf(
  { failingSinceMs, failingAgainAtMs, warnedForMs }: Failing,
  nowMs: number,
): Warning | undefined {
  if (failingSinceMs === null || failingAgainAtMs === null || failingAgainAtMs >= nowMs) return undefined;
  const share = warningShares.find((one) => failingSinceMs + one * failingMsMax <= nowMs);
  if (share === undefined) return undefined;
  const dueAtMs = failingSinceMs + share * failingMsMax;
  const isGiven = warnedForMs !== null && warnedForMs >= dueAtMs;
  return isGiven ? undefined : { share, dueAtMs, disabledAtMs: failingSinceMs + failingMsMax };
}
