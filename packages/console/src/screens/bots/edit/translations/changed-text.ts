import type { TranslationTable } from '@parley/bot/translations/table';

/** Returns the first text whose translation differs between two tables, else whose source does. */
export function changedText(
  before: TranslationTable,
  { rows, languages }: TranslationTable,
  /** The language that comes first. */
  shown: string,
): { key: string; language: string } | undefined {
  const former = new Map(before.rows.map((row) => [row.key, row]));
  for (const language of [shown, ...languages.filter((one) => one !== shown)]) {
    const found = rows.find(
      ({ key, wordings }) =>
        (wordings[language]?.text ?? '') !== (former.get(key)?.wordings[language]?.text ?? ''),
    );
    if (found && languages.includes(language)) return { key: found.key, language };
  }
  const found = rows.find(({ key, source }) => former.get(key)?.source !== source);
  return found && { key: found.key, language: shown };
}
