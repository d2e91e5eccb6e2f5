import type { Language } from '../../../../../texts/language.ts';

/** The languages that an author chooses from. The source takes any tag. */
const tags =
  'ar bg ca cs da de de-CH el en en-GB en-US es et fi fr he hi hr hu id it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh zh-TW'.split(
    ' ',
  );

/** Returns the name of a language with its tag; the tag alone if it has no name. */
export function languageName(tag: string, language: Language): string {
  const name = nameOf(tag, language);
  return name === undefined ? tag : `${name} (${tag})`;
}

/** Returns the names of languages as a list in a sentence. */
export function languageList(tags: readonly string[], language: Language): string {
  return new Intl.ListFormat(language).format(tags.map((tag) => nameOf(tag, language) ?? tag));
}

function nameOf(tag: string, language: Language): string | undefined {
  try {
    return new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }).of(tag);
  } catch {
    // A draft may have anything in place of a tag.
    return undefined;
  }
}

/** Returns the languages by their names, in the language of the reader. */
export function languageOptions(language: Language): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'language' });
  return tags
    .map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
}
