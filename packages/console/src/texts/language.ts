export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

/** Returns the language of a BCP 47 tag that the console has; English for all others. */
export function languageOf(tag: string): Language {
  const [language = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(languages, language) ? (language as Language) : 'en';
}
