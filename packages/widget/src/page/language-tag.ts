/** Returns a language tag that the API accepts; undefined for an invalid one, such as a template's leftover. */
export function tagOf(locale: string | undefined): string | undefined {
  if (!locale) return undefined;
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).baseName.split('-', 4).join('-');
  } catch {
    return undefined;
  }
}
