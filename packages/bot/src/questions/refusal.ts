import { isDate } from '../text/calendar.ts';
import type { RefusalOf } from './question-type.ts';
import { type CommonReason, commonRefusals, type RefusalTexts } from './refusal-texts.ts';
import { type Language, localText } from '../text/template.ts';
import { questionTypes, type TypeReason } from './types.ts';

/** An answer that is rejected without any change: a stable slug, and a sentence in the conversation's language. */
export type Rejection = { rejected: { reason: string; detail: string } };

export type Refusal = RefusalOf<CommonReason | TypeReason>;

export const refusalTexts = Object.assign(
  {},
  commonRefusals,
  ...questionTypes.map(({ refusals }) => refusals),
) as Record<Refusal['reason'], RefusalTexts>;

/**
 * Returns the reason as a sentence for the customer, in the language of the bot's texts: the conversation's,
 * else the bot's own, else English.
 */
export function refusalText(refusal: Refusal, { locale, ownLocale }: Language): string {
  const text = localText(refusalTexts[refusal.reason], locale, ownLocale);
  return text.replaceAll(/\{(min|max)\}/g, (_, name: 'min' | 'max') =>
    showLimit(refusal[name] ?? '', locale),
  );
}

export function reject(reason: string, detail: string): Rejection {
  return { rejected: { reason, detail } };
}

// Numbers and days as the widget shows them in its hints, so customers can type them as shown.
function showLimit(limit: number | string, locale: string): string {
  const tags = isTag(locale) ? [locale, 'en'] : ['en'];
  if (typeof limit === 'number') {
    const plain = { useGrouping: false, maximumSignificantDigits: 17, numberingSystem: 'latn' };
    return new Intl.NumberFormat(tags, plain).format(limit);
  }
  if (!isDate(limit)) return limit;
  const medium = { calendar: 'gregory', dateStyle: 'medium', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(tags, medium).format(new Date(limit));
}

function isTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
