import { type GivenStrings, type Strings, strings } from './strings.ts';

/** The widget's own texts and its format of times, for one locale. */
export interface WidgetLanguage {
  /** The language of the bot's texts, as far as known: the requested locale. */
  tag: string;
  /** The language of the widget's own texts: English where there are none for the locale. */
  ownTag: string;
  direction: 'ltr' | 'rtl';
  say(key: keyof Strings, values?: Record<string, string | number>): string;
  /** Formats an instant (epoch seconds): the time of day, with the day unless it is the day of `now`. */
  time(at: number, now: number): string;
  /** Formats a day with its time, and names the time zone: the one of the browser. */
  moment(at: Date): string;
  /**
   * Formats a number as it is typed into a field: with the decimal mark of the locale, in the digits 0 to 9, ungrouped,
   * in full.
   */
  number(value: number): string;
  /** Formats a day `YYYY-MM-DD` in words, in its own calendar; returns anything else unchanged. */
  day(text: string): string;
}

/** All digits: no number of JavaScript has more. */
const plainNumber = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 17 });

const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']);

/**
 * Returns the language of a BCP 47 tag, or of one with underscores (`de_DE`); English for a malformed one. `given`: the
 * page's own texts, which replace the widget's.
 */
export function languageOf(locale: string, given?: GivenStrings): WidgetLanguage {
  const tag = canonical(locale) ?? 'en';
  const base = tag.split('-')[0]?.toLowerCase() ?? '';
  const own = Object.hasOwn(strings, base) ? strings[base] : undefined;
  const format = (at: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, options).format(at);
  const decimalMark = decimalMarkOf(tag) ?? '.';
  return {
    tag,
    ownTag: own === undefined && given === undefined ? 'en' : base,
    direction: rightToLeft.has(base) ? 'rtl' : 'ltr',
    say: (key, values = {}) =>
      (given?.[key] ?? (own ?? strings.en)[key]).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        String(values[name] ?? ''),
      ),
    number: (value) => plainNumber.format(value).replace('.', decimalMark),
    time(at, now) {
      const date = new Date(at * 1000);
      const isToday = date.toDateString() === new Date(now * 1000).toDateString();
      return format(date, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
    },
    moment: (at) =>
      format(at, {
        year: 'numeric',
        month: 'long',
        day: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
      }),
    day: (text) =>
      isDay(text)
        ? format(new Date(text), { calendar: 'gregory', dateStyle: 'medium', timeZone: 'UTC' })
        : text,
  };
}

/** Returns whether the text is a day of the calendar, such as `2030-05-04`. */
function isDay(text: string): boolean {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function decimalMarkOf(tag: string): string | undefined {
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value;
}

function canonical(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
