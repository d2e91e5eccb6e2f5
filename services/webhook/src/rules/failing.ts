const hour = 60 * 60 * 1_000;

/** A webhook that has failed for so many days is disabled. */
export const failingDaysMax = 5;
export const failingMsMax = failingDaysMax * 24 * hour;
/** After which shares of that time its owner is warned, last first. */
export const warningShares = [0.9, 0.7, 0.5];
/** A second failure has to follow the first after this time: a webhook that is hardly used has not failed for days. */
const failuresApartMs = 12 * hour;

/** Since when a webhook has been failing. Instants are by the database clock. */
export interface Failing {
  /** The first failure after the last success. */
  failingSinceMs: number | null;
  /** The first failure that was twelve hours later. */
  failingAgainAtMs: number | null;
  /** When the last warning became due that was given. */
  warnedForMs: number | null;
}

/** What is to be said of a webhook that will be disabled if it goes on failing. */
export interface Warning {
  /** Which share of the time until then is over. */
  share: number;
  /** When that was. */
  dueAtMs: number;
  disabledAtMs: number;
}

/** Returns since when a webhook has been failing, after another failure. */
export function failed({ failingSinceMs, failingAgainAtMs }: Failing, nowMs: number): Partial<Failing> {
  if (failingSinceMs === null) return { failingSinceMs: nowMs };
  const isAgain = failingAgainAtMs === null && nowMs - failingSinceMs >= failuresApartMs;
  return isAgain ? { failingAgainAtMs: nowMs } : {};
}

/** Whether a webhook has failed for five days, and more often than at their two ends. */
export function hasFailedTooLong({ failingSinceMs, failingAgainAtMs }: Failing, nowMs: number): boolean {
  // Twelve hours later again, so that a clock that jumps by days disables nothing.
  const hasThree = failingAgainAtMs !== null && nowMs - failingAgainAtMs >= failuresApartMs;
  return failingSinceMs !== null && hasThree && nowMs - failingSinceMs >= failingMsMax;
}

/** Returns the warning that is due, after half, 70 and 90 % of the days. Undefined: none, or it was given. */
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
