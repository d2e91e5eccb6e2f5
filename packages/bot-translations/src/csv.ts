import type { TranslationTable } from '@parley/bot/translations/table';
import type { Translation } from '@parley/bot/translations/translate';
import { csvFile } from '@parley/bulk/csv';
import { readCsv } from '@parley/bulk/csv-reader';

/** The first columns. The source follows, and then a column for each language. */
const keyColumn = 'key';
const stateColumn = ' (state)';

/** Returns the texts of a bot as CSV: a row for each text, and two columns for each language, with its state. */
export function translationsCsv({ own, languages, rows }: TranslationTable): string {
  const head = [keyColumn, own, ...languages.flatMap((language) => [language, `${language}${stateColumn}`])];
  const lines = rows.map(({ key, source, wordings }) => [
    key,
    source,
    ...languages.flatMap((language) => {
      const { text = '', state = 'missing' } = wordings[language] ?? {};
      return [text, state];
    }),
  ]);
  return csvFile([head, ...lines]);
}

/** Why a file has no translations. `row`: of a spreadsheet, from 1. */
export type TranslationFileFault = { kind: 'no-key-column' } | { kind: 'not-csv'; row: number };

/**
 * Reads the translations of such a file. Columns other than key, source and states are languages. A row whose source is
 * not the bot's translates that older source.
 */
export function readTranslationsCsv(
  text: string,
  own: string,
): { translations: Translation[] } | { fault: TranslationFileFault } {
  const { rows, fault } = readCsv(text);
  if (fault) return { fault: { kind: 'not-csv', row: fault.row } };
  const [head, ...lines] = rows.map(({ cells }) => cells.map((cell) => withFormulas(cell.text)));
  const names = (head ?? []).map((name) => name.trim());
  const keyAt = names.indexOf(keyColumn);
  if (keyAt < 0) return { fault: { kind: 'no-key-column' } };
  const sourceAt = names.findIndex((name) => name.toLowerCase() === own.toLowerCase());
  const translations = lines.flatMap((cells) =>
    names.flatMap((language, at): Translation[] => {
      if (at === keyAt || at === sourceAt || language === '' || language.endsWith(stateColumn)) return [];
      const source = sourceAt < 0 ? undefined : cells[sourceAt];
      return [{ key: cells[keyAt] ?? '', language, text: cells[at] ?? '', ...(source && { source }) }];
    }),
  );
  return { translations };
}

/** Removes the apostrophes by which spreadsheets take no line for a formula. */
function withFormulas(cell: string): string {
  return cell.replaceAll(/^'(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t])/gm, '');
}
