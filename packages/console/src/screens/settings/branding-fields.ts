import type { Branding, BrandingChange } from '@parley/client';

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

/** Returns the fields of a branding. */
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
