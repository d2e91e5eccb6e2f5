import { instant } from '@parley/client';
import { useLanguage } from '../texts/texts.tsx';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  const found = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, found);
  return found;
}

interface Props {
  at: string | Date;
  /** With seconds. */
  isExact?: boolean;
  /** Without the day. */
  isTime?: boolean;
}

/** Shows an instant of the API in the time zone of the browser. */
export function Time({ at, isExact = false, isTime = false }: Props) {
  const { language } = useLanguage();
  const date = typeof at === 'string' ? instant(at) : at;
  const shown = format(language, {
    ...(!isTime && { dateStyle: 'medium' as const }),
    timeStyle: isExact ? 'medium' : 'short',
  });
  const full = format(language, { dateStyle: 'full', timeStyle: 'long' });
  return (
    <time dateTime={date.toISOString()} title={full.format(date)} className="whitespace-nowrap tabular-nums">
      {shown.format(date)}
    </time>
  );
}

export function useDuration(): (seconds: number) => string {
  const { language } = useLanguage();
  return (seconds) => {
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
  };
}

export function useBytes(): (bytes: number) => string {
  const { language } = useLanguage();
  return (bytes) => {
    const isSmall = bytes < 1024 * 1024;
    const value = bytes / (isSmall ? 1024 : 1024 * 1024);
    const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
    return `${number} ${isSmall ? 'KiB' : 'MiB'}`;
  };
}

export function useNumbers(): { count(value: number): string; share(value: number | null): string } {
  const { language } = useLanguage();
  return {
    count: (value) => new Intl.NumberFormat(language).format(value),
    share: (value) =>
      value === null
        ? '–'
        : new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value),
  };
}
