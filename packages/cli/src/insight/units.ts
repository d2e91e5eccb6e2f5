// How figures are written for people.

/** Returns a share from 0 to 1 in percent with one decimal: `12.5 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Returns a number with at most so many decimals: `4.25`, `7`. `-` for null. */
export function decimal(value: number | null, decimals: number): string {
  // Without a minus before 0.
  return value === null ? '-' : String(Number(value.toFixed(decimals)) || 0);
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Returns a time in its two largest units: `2 min 10 s`, `1 h`, `0.5 s`. `-` for null. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '-';
  if (seconds < 9.95) return `${decimal(seconds, 1)} s`;
  const first = units.findIndex(([, size]) => Math.round(seconds) >= size);
  const [largest = units[3], second] = units.slice(first);
  const smallest = second ?? largest;
  const rounded = Math.round(seconds / smallest[1]) * smallest[1];
  // 59 min 59.9 s are an hour.
  const larger = units[first - 1];
  if (larger && rounded >= larger[1]) return `1 ${larger[0]}`;
  const rest = (rounded % largest[1]) / smallest[1];
  const whole = `${Math.floor(rounded / largest[1])} ${largest[0]}`;
  return second === undefined || rest === 0 ? whole : `${whole} ${rest} ${smallest[0]}`;
}

/** Returns an instant of the API in a time zone, to the second: `2026-11-21 10:30:00`. */
export function localTime(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return format.format(new Date(`${instant}Z`));
}
