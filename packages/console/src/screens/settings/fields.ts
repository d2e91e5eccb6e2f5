import type { Branding, BrandingChange, ContactLimit, ContactPolicy, Retention } from '@parley/client';

/** The fields as the form has them: an empty text stands for none. */
export interface BrandingFields {
  displayName: string;
  accentColor: string;
  /** A data URL, or the address of the stored logo. */
  logo: string;
  privacyText: string;
  endText: string;
  endUrl: string;
  endLabel: string;
}

export function brandingFields({
  displayName,
  accentColor,
  logoUrl,
  privacyText,
  endText,
  endLink,
}: Branding): BrandingFields {
  return {
    displayName: displayName ?? '',
    accentColor: accentColor ?? '',
    logo: logoUrl ?? '',
    privacyText: privacyText ?? '',
    endText: endText ?? '',
    endUrl: endLink?.url ?? '',
    endLabel: endLink?.label ?? '',
  };
}

/** Returns the branding of the fields: an empty text stands for none. */
export function brandingOf({ logo, endUrl, endLabel, ...texts }: BrandingFields): Branding {
  const { displayName, accentColor, privacyText, endText } = texts;
  const link = endUrl === '' && endLabel === '' ? null : { url: endUrl, label: endLabel };
  return {
    displayName: displayName || null,
    accentColor: accentColor || null,
    logoUrl: logo || null,
    privacyText: privacyText || null,
    endText: endText || null,
    endLink: link,
  };
}

/** Returns the fields that differ. The API takes the logo itself, and shows its address. */
export function brandingChange(before: Branding, { logoUrl, ...after }: Branding): BrandingChange {
  const { logoUrl: formerLogo, ...former } = before;
  const texts = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name as keyof typeof former]),
  );
  return { ...Object.fromEntries(texts), ...(logoUrl !== formerLogo && { logo: logoUrl }) };
}

/** The kinds of interactions with a time of their own. */
export const retentionNames = ['completedDays', 'endedDays', 'draftDays'] as const;

/** The fields as the form has them: an empty text stands for no limit. */
export type RetentionFields = Record<(typeof retentionNames)[number], string>;

export function retentionFields(retention: Retention): RetentionFields {
  const entries = retentionNames.map((name) => [
    name,
    retention[name] === null ? '' : String(retention[name]),
  ]);
  return Object.fromEntries(entries) as RetentionFields;
}

export function retentionOf(fields: RetentionFields): Retention {
  const entries = retentionNames.map((name) => [name, fields[name] === '' ? null : Number(fields[name])]);
  return Object.fromEntries(entries) as Retention;
}

/** Returns the lines of a text, without spaces around them and without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

export const contactNames = ['anyBot', 'sameBot'] as const;

type LimitFields = { count: string; days: string };

export type ContactFields = Record<(typeof contactNames)[number], LimitFields>;

export function contactFields({ anyBot, sameBot }: ContactPolicy): ContactFields {
  const fieldsOf = (limit: ContactLimit | null): LimitFields => ({
    count: limit === null ? '' : String(limit.count),
    days: limit === null ? '' : String(limit.days),
  });
  return { anyBot: fieldsOf(anyBot), sameBot: fieldsOf(sameBot) };
}

/** Returns the policy of the fields: two empty fields stand for no limit. The API rejects half of one. */
export function contactPolicyOf({ anyBot, sameBot }: ContactFields): ContactPolicy {
  const limitOf = ({ count, days }: LimitFields): ContactLimit | null =>
    count === '' && days === '' ? null : { count: Number(count), days: Number(days) };
  return { anyBot: limitOf(anyBot), sameBot: limitOf(sameBot) };
}

export function isSamePolicy(one: ContactPolicy, other: ContactPolicy): boolean {
  return contactNames.every(
    (name) => one[name]?.count === other[name]?.count && one[name]?.days === other[name]?.days,
  );
}
