import { readTranslationsCsv, translationsCsv } from '@parley/bot-translations/csv';
import { readTranslationsXliff, translationsXliff } from '@parley/bot-translations/xliff';
import { ownLanguage } from '@parley/bot/translations/places';
import type { PlaceholderFault, TranslationTable } from '@parley/bot/translations/table';
import { applyTranslations, type TranslationFault } from '@parley/bot/translations/translate';
import { decodeText } from '@parley/bulk/decode';
import type { Texts } from '../../../../texts/texts.tsx';

type Words = Texts['translations'];

/** Translators' files are far smaller. */
const fileBytesMax = 4 * 1024 * 1024;

/** What came of a file: the changed text of the definition, or why there is none. */
export type Taken =
  | { text: string; changed: number; faults: TranslationFault[] }
  | { fault: 'damaged' | 'tooLarge' | 'notRead' | 'otherBot' };

/** Takes the translations of a file into the text of a definition. */
export async function takeTranslations(
  file: Blob & { name?: string },
  textOfNow: () => string,
): Promise<Taken> {
  if (file.size > fileBytesMax) return { fault: 'tooLarge' };
  const { text: content, isDamaged } = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (isDamaged) return { fault: 'damaged' };
  const text = textOfNow();
  const isXliff = /^\s*\uFEFF?\s*</.test(content);
  const read = isXliff
    ? readTranslationsXliff(content)
    : readTranslationsCsv(content, ownLanguage(JSON.parse(text)));
  if ('fault' in read) return { fault: 'notRead' };
  const given = read.translations.filter((one) => one.text.trim() !== '');
  const taken = applyTranslations(text, given);
  const unknown = taken.faults.filter(({ kind }) => kind === 'unknown-key').length;
  return given.length > 1 && unknown === given.length ? { fault: 'otherBot' } : taken;
}

/** Returns the file of a format. CSV has a byte order mark: spreadsheets do not read UTF-8 without it. */
export function translationsFile(
  format: 'csv' | 'xliff',
  table: TranslationTable,
  language: string,
  key: string,
): { name: string; content: Blob } {
  if (format === 'csv') return { name: `${key}.csv`, content: new Blob(['\uFEFF', translationsCsv(table)]) };
  const content = new Blob([translationsXliff(table, language, key)]);
  return { name: `${key}.${language}.xlf`, content };
}

/** Returns the key of a bot, for the names of files. */
export function keyIn(definition: Record<string, unknown> | undefined): string {
  const { key } = definition ?? {};
  return typeof key === 'string' ? key : 'bot';
}

/** Returns what is wrong with the references of a translation, in words. */
export function placeholderWords({ missing, added }: PlaceholderFault, t: Words): string {
  const written = (names: readonly string[]): string =>
    names.map((name) => (/^[{}]/.test(name) ? name : `{{${name}}}`)).join(', ');
  const parts = [missing.length > 0 && t.lacks(written(missing)), added.length > 0 && t.adds(written(added))];
  return parts.filter((part) => part !== false).join(' ');
}

/** Returns why a translation was not taken, in words. */
export function faultWords(fault: TranslationFault, t: Words): string {
  switch (fault.kind) {
    case 'placeholders':
      return placeholderWords(fault, t);
    case 'too-long':
      return t.tooLong(fault.max);
    default:
      return t.faultKinds[fault.kind];
  }
}
