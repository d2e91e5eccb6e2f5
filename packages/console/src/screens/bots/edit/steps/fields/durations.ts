const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

export type Unit = keyof typeof units;

export const unitNames = Object.keys(units) as Unit[];

/** Returns a duration in the largest unit of which it is a whole number. */
export function durationOf(seconds: number): { count: number; unit: Unit } {
  const unit = unitNames.findLast((one) => seconds % units[one] === 0) ?? 'seconds';
  return { count: seconds / units[unit], unit };
}

/** Returns the seconds of what was entered; undefined if it is no duration yet. */
export function secondsOf(entered: string, unit: Unit): number | undefined {
  const trimmed = entered.trim().replace(',', '.');
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(trimmed)) return undefined;
  return Math.round(Number(trimmed) * units[unit]);
}
