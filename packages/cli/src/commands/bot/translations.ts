import { readTranslationsCsv, translationsCsv } from '@parley/bot-translations/csv';
import { readTranslationsXliff, translationsXliff } from '@parley/bot-translations/xliff';
import { ownLanguage } from '@parley/bot/translations/places';
import { type TranslationTable, translationTable } from '@parley/bot/translations/table';
import {
  applyTranslations,
  type Translation,
  type TranslationFault,
} from '@parley/bot/translations/translate';
import { type Command, Option } from 'commander';
import { counted } from '../../counted.ts';
import { Failure, usageFailure } from '../../failure.ts';
import { type JsonFile, readJsonFile } from '../../files/json-file.ts';
import { readText, writeOutput } from '../../files/text-file.ts';
import { print, table } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Examples:
  parley bot translations show feedback.json
  parley bot translations export feedback.json --output feedback.csv
  parley bot translations export feedback.json --language de --output feedback.de.xlf
  parley bot translations import feedback.json feedback.de.xlf

The commands read and write the file of a bot. CSV has all languages, XLIFF 2.1 one of them. A file
whose name ends in .xlf or .xliff is XLIFF. A translation is stale if the text that it translates
has changed since, and faulty if it names other values than that text. A text that is not translated
is shown in the bot's own language.`;

type Options = GlobalOptions & { language?: string; output?: string; format?: 'csv' | 'xliff' };

export function addTranslations(bot: Command, shell: Shell): void {
  const translations = bot
    .command('translations')
    .description('show, export and import the translations of a bot')
    .addHelpText('after', example);
  addShow(translations, shell);
  addExport(translations, shell);
  addImport(translations, shell);
}

function addShow(translations: Command, shell: Shell): void {
  translations
    .command('show')
    .description('list the missing, stale and faulty texts by language')
    .argument('<file>', 'the definition, as JSON')
    .option('--language <tag>', 'of this language only, which no text may have yet')
    .action(async (file: string, _, command: Command) => {
      const { json, language } = command.optsWithGlobals<Options>();
      const { languages, rows, progress } = await readTable(file, language, shell);
      const shown = language === undefined ? languages : [language];
      const open = rows.flatMap(({ key, source, wordings }) =>
        shown.flatMap((one) => {
          const { state = 'missing' } = wordings[one] ?? {};
          return state === 'done' ? [] : [[one, state, key, source.split('\n', 1)[0] ?? '']];
        }),
      );
      const totals = shown.map((one) => {
        const { done = 0, missing = 0, stale = 0, faulty = 0 } = progress[one] ?? {};
        return `${one}: ${done} of ${rows.length} translated, ${missing} missing, ${stale} stale, ${faulty} faulty`;
      });
      const lines = [
        table(['LANGUAGE', 'STATE', 'KEY', 'TEXT'], open, 'Nothing is missing, stale or faulty.'),
        '',
        ...totals,
      ];
      print(shell, json, { file, rows, progress }, lines.join('\n'));
    });
}

function addExport(translations: Command, shell: Shell): void {
  translations
    .command('export')
    .description('write the texts and their translations to a file')
    .argument('<file>', 'the definition, as JSON')
    .requiredOption('--output <file>', 'the file')
    .option('--language <tag>', 'the language of an XLIFF file, or one more column of a CSV file')
    .addOption(formatOption())
    .action(async (file: string, _, command: Command) => {
      const { json, language, output = '', format } = command.optsWithGlobals<Options>();
      const made = await readTable(file, language, shell);
      const isXliff = formatOf(output, format) === 'xliff';
      if (isXliff && language === undefined)
        throw usageFailure('an XLIFF file has one language: pass --language');
      const text = isXliff ? translationsXliff(made, language ?? '', made.key) : translationsCsv(made);
      await writeOutput(output, text, shell);
      const texts = counted(made.rows.length, 'text');
      print(shell, json, { file, output, texts: made.rows.length }, `${output} has ${texts} of ${file}.`);
    });
}

function addImport(translations: Command, shell: Shell): void {
  translations
    .command('import')
    .description('write the translations of a file into the definition')
    .argument('<file>', 'the definition, as JSON')
    .argument('<translations>', 'the CSV or XLIFF file')
    .addOption(formatOption())
    .action(async (file: string, from: string, _, command: Command) => {
      const { json, format } = command.optsWithGlobals<Options>();
      const definition = await readJsonFile(file, shell);
      const given = await readTranslations(from, formatOf(from, format), definition, shell);
      const { text, changed, faults } = applyTranslations(definition.text, given);
      if (changed > 0) await writeOutput(file, text, shell);
      if (faults.length > 0) throw refused(file, changed, faults);
      print(shell, json, { file, changed }, `${file} has ${counted(changed, 'other translation')}.`);
    });
}

function formatOption(): Option {
  return new Option('--format <format>', 'the format; by default, the name of the file decides').choices([
    'csv',
    'xliff',
  ]);
}

function formatOf(file: string, format: Options['format']): 'csv' | 'xliff' {
  return format ?? (/\.xl(f|iff)$/i.test(file) ? 'xliff' : 'csv');
}

async function readTable(
  file: string,
  language: string | undefined,
  shell: Shell,
): Promise<TranslationTable & { key: string }> {
  const { value } = await readJsonFile(file, shell);
  const { key }: { key?: unknown } = Object(value);
  const made = translationTable(value, undefined, language === undefined ? [] : [language]);
  return { ...made, key: typeof key === 'string' ? key : 'bot' };
}

async function readTranslations(
  file: string,
  format: 'csv' | 'xliff',
  { value }: JsonFile,
  shell: Shell,
): Promise<Translation[]> {
  const text = await readText(file, shell);
  const read =
    format === 'xliff' ? readTranslationsXliff(text) : readTranslationsCsv(text, ownLanguage(value));
  if ('translations' in read) return read.translations;
  const { fault } = read;
  const words = {
    'no-key-column': 'has no column "key"',
    'not-csv': `is no CSV${'row' in fault ? `: see row ${fault.row}` : ''}`,
    'not-xml': `is no XML${'line' in fault ? `: see line ${fault.line}` : ''}`,
    'not-xliff': 'is no XLIFF 2 file',
  };
  throw new Failure(`${file} ${words[fault.kind]}`, { type: 'invalid-translations' });
}

/** The other translations are written. */
function refused(file: string, changed: number, faults: readonly TranslationFault[]): Failure {
  const message =
    `${counted(faults.length, 'translation is', 'translations are')} not taken; ` +
    `${file} has ${counted(changed, 'other translation')}`;
  return new Failure(message, {
    type: 'translations-refused',
    faults: faults.map((fault) => ({ pointer: `${fault.key} (${fault.language})`, detail: wordsOf(fault) })),
  });
}

function wordsOf(fault: TranslationFault): string {
  switch (fault.kind) {
    case 'unknown-key':
      return 'The bot has no such text.';
    case 'own-language':
      return "This is the bot's own language.";
    case 'not-a-language':
      return 'This is not a language tag, such as de or pt-BR.';
    case 'too-long':
      return `It has more than ${fault.max} characters.`;
    case 'placeholders': {
      const { missing, added } = fault;
      return [
        ...(missing.length > 0 ? [`It lacks ${missing.join(', ')}.`] : []),
        ...(added.length > 0 ? [`Its source does not name ${added.join(', ')}.`] : []),
      ].join(' ');
    }
  }
}
