const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format of times. A format is created once. */
export function timeFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  const found = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, found);
  return found;
}

/** Returns a duration in the largest unit of which it has more than one and a half. */
export function durationText(seconds: number, language: string): string {
  const show = (value: number, unit: string): string =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: value < 10 ? 1 : 0,
    }).format(value);
  if (seconds < 1) return show(Math.round(seconds * 1000), 'millisecond');
  if (seconds < 90) return show(seconds, 'second');
  if (seconds < 90 * 60) return show(seconds / 60, 'minute');
  if (seconds < 36 * 3600) return show(seconds / 3600, 'hour');
  return show(seconds / 86_400, 'day');
}

export function bytesText(bytes: number, language: string): string {
  const isSmall = bytes < 1024 * 1024;
  const value = bytes / (isSmall ? 1024 : 1024 * 1024);
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
  return `${number} ${isSmall ? 'KiB' : 'MiB'}`;
}

/** Returns a share as percent; a dash for none. */
export function shareText(value: number | null, language: string): string {
  return value === null
    ? '–'
    : new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value);
}
