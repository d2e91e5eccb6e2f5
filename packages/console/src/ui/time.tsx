import { instant } from '@parley/client';
import { useLanguage } from '../texts/texts.tsx';
import { bytesText, durationText, shareText, timeFormat } from './units.ts';

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
  const shown = timeFormat(language, {
    ...(!isTime && { dateStyle: 'medium' as const }),
    timeStyle: isExact ? 'medium' : 'short',
  });
  const full = timeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  return (
    <time dateTime={date.toISOString()} title={full.format(date)} className="whitespace-nowrap tabular-nums">
      {shown.format(date)}
    </time>
  );
}

/** Returns a function that writes a day of the API, such as `2026-11-30`. */
export function useDay(): (date: string) => string {
  const { language } = useLanguage();
  const format = timeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return (date) => format.format(new Date(`${date}T00:00:00Z`));
}

export function useDuration(): (seconds: number) => string {
  const { language } = useLanguage();
  return (seconds) => durationText(seconds, language);
}

export function useBytes(): (bytes: number) => string {
  const { language } = useLanguage();
  return (bytes) => bytesText(bytes, language);
}

export function useDecimal(): (value: number | null) => string {
  const { language } = useLanguage();
  return (value) =>
    value === null ? '–' : new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}

export function useNumbers(): { count(value: number): string; share(value: number | null): string } {
  const { language } = useLanguage();
  return {
    count: (value) => new Intl.NumberFormat(language).format(value),
    share: (value) => shareText(value, language),
  };
}
