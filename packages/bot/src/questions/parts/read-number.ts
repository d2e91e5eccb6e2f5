import { foldTyped } from '../../text/characters.ts';

const number = /^[+-]?\d{1,20}(?:[.,\u066b]\d{1,20})?$/;
/** Unambiguous groups: several of them, or with a fraction after the other mark. */
const grouped =
  /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d{1,20}|(?:\.\d{3})+,\d{1,20}|(?:,\d{3}){2,}|(?:\.\d{3}){2,})$/;
/** One mark before exactly three digits: a group, or a fraction. */
const unsure = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * Returns the number that a text means, or undefined. Accepts digits of any script, groups of three, and a decimal
 * point or comma. The language of `locale` decides what could be a group or a fraction. A point before three digits
 * in a language with a decimal comma is ambiguous, so it is no number.
 */
export function readNumber(text: string, locale: string): number | undefined {
  const written = foldTyped(text).replaceAll(/(?<=\d)[ '\u066c](?=\d{3}(?!\d))/g, '');
  const [, mark] = unsure.exec(written) ?? [];
  const use = mark === undefined ? undefined : useOf(mark, locale);
  if (mark !== undefined && use === undefined) return undefined;
  if (use === 'group' || grouped.test(written)) {
    const group = /[.,]/.exec(written)?.[0] ?? '';
    return Number(written.replaceAll(group, '').replace(',', '.'));
  }
  return number.test(written) ? Number(written.replace(/[,\u066b]/, '.')) : undefined;
}

function useOf(mark: string, locale: string): 'decimal' | 'group' | undefined {
  const parts = partsOf(1234567.5, locale);
  const markOf = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value;
  if (mark === markOf('decimal')) return 'decimal';
  return mark === ',' && mark === markOf('group') ? 'group' : undefined;
}

// English for a language that the platform does not support. The default would be the machine's language.
function partsOf(value: number, locale: string): Intl.NumberFormatPart[] {
  try {
    return new Intl.NumberFormat([locale, 'en'], { numberingSystem: 'latn' }).formatToParts(value);
  } catch {
    return []; // an invalid tag
  }
}
