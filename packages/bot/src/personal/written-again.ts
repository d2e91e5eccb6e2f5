// oxlint-disable-next-line no-restricted-imports -- a pure function, of which browsers have no counterpart
import { domainToUnicode } from 'node:url';
import { isDate, isTime } from '../text/calendar.ts';
import { type InputRule, typeOf } from '../questions/types.ts';

/** The shortest national part of a telephone number. */
const nationalDigitsMin = 6;

/**
 * Returns a value in the forms in which a customer may write it: as it is, and as its normalised form may be typed.
 * Punctuation, blanks and letter case are not varied.
 */
export function formsOf(value: string): string[] {
  return [
    value,
    ...[dayForms, timeForms, addressForms, emailForms, phoneForms, decimalForms].flatMap((of) => of(value)),
  ];
}

/** Returns what an answer to the rule would be stored as; empty if the value is none. */
function normalised(rule: InputRule, value: string): string {
  const { checkValue, readText } = typeOf(rule);
  const checked = checkValue(rule, readText(rule, value, { locale: 'en', ownLocale: 'en' }), 0);
  return 'value' in checked && typeof checked.value !== 'object' ? String(checked.value) : '';
}

function dayForms(value: string): string[] {
  const written = normalised({ type: 'date' }, value);
  if (!isDate(written)) return [];
  const [year = '', month = '', day = ''] = written.split('-');
  const bare = (part: string) => part.replace(/^0/, '');
  return [
    `${day}.${month}.${year}`,
    `${month}/${day}/${year}`,
    `${bare(day)}.${bare(month)}.${year}`,
    `${bare(month)}/${bare(day)}/${year}`,
    `${year}/${bare(month)}/${bare(day)}`,
  ];
}

/** A time of 24 or 12 hours, with or without a zero before the hour; a full hour also without minutes. */
function timeForms(value: string): string[] {
  // A number such as 12.25 is no time here.
  const clock = /[:m]/i.test(value) ? normalised({ type: 'time' }, value) : '';
  if (!isTime(clock)) return [];
  const [hours = '', minutes = ''] = clock.split(':');
  const hour = Number(hours);
  const half = hour < 12 ? 'am' : 'pm';
  const ofTwelve = String(hour % 12 || 12);
  return [...new Set([hours, String(hour), ofTwelve, ofTwelve.padStart(2, '0')])].flatMap((written) => [
    `${written}:${minutes}`,
    `${written}h${minutes}`,
    `${written}:${minutes} ${half}`,
    ...(minutes === '00' ? [`${written} ${half}`, `${written}h`] : []),
  ]);
}

/** A web address without its scheme and `www`, with the characters that it encodes. */
function addressForms(value: string): string[] {
  const address = /^(?:https?:\/\/|www\.)/i.test(value) ? normalised({ type: 'url' }, value) : '';
  if (address === '') return [];
  const { hostname, host, href } = new URL(address);
  const rest = href.slice(href.indexOf(host) + host.length);
  const shown = domainToUnicode(hostname) + host.slice(hostname.length);
  const forms = [host + rest, shown + rest, shown + decoded(rest)];
  return forms.flatMap((form) => [form, form.replace(/^www\./, '')]);
}

/** An e-mail address with its `@` as a URL encodes it, and in words. */
function emailForms(value: string): string[] {
  return /^[^@\s]+@[^@\s]+$/.test(value) ? ['%40', ' at '].map((at) => value.replace('@', at)) : [];
}

function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** A telephone number without its prefix, in its national form, and with a zero in brackets between the two. */
function phoneForms(value: string): string[] {
  const number = normalised({ type: 'phone' }, value);
  const digits = number.replace(/^(?:\+|0+)/, '');
  // A country's code has one to three digits.
  const codes = number.startsWith('+') ? [1, 2, 3] : [];
  const forms = codes.flatMap((length) => [
    digits.slice(length),
    `+${digits.slice(0, length)}(0)${digits.slice(length)}`,
  ]);
  return [number, digits, ...forms].filter((form) => form.length >= nationalDigitsMin);
}

/** Tenths written as hundredths, as amounts are. */
function decimalForms(value: string): string[] {
  return /^-?\d+\.\d$/.test(value) ? [`${value}0`] : [];
}
