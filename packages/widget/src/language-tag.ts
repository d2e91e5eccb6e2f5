/** A language tag as the API takes it; undefined for what is none, say of a page whose language is a template's leftover. */
export function tagOf(locale: string | undefined): string | undefined {
  if (!locale) return undefined;
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).baseName.split('-', 4).join('-');
  } catch {
    return undefined;
  }
}
