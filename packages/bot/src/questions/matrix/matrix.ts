import { z } from 'zod';
import { foldCharacters } from '../../text/characters.ts';
import { bodyCharsMax } from '../../text/clean-text.ts';
import { flag } from '../../text/format-text.ts';
import {
  type Choice,
  describeChoices,
  inOrder,
  oneChoice,
  order,
  reportChoices,
  sayChoice,
  shownOrder,
  textsOfChoice,
} from '../parts/choices.ts';
import { choiceReader } from '../parts/read-choice.ts';
import { counted, plainValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const options = {
  rows: z.array(oneChoice).min(1).max(20).meta({ id: 'rows' }),
  columns: z.array(oneChoice).min(2).max(10).meta({ id: 'columns' }),
  rowsRequired: flag(true, 'False lets the customer leave rows out.'),
  order,
};

const matrixRefusals = {
  'not-a-matrix': {
    en: 'Please choose one of the answers for each row.',
    de: 'Bitte wählen Sie für jede Zeile eine der Antworten.',
    fr: 'Veuillez choisir une des réponses pour chaque ligne.',
    es: 'Elija una de las respuestas para cada fila.',
    ar: 'يرجى اختيار إحدى الإجابات لكل صف.',
  },
  'rows-missing': {
    en: 'Please answer every row. Still open: {min}.',
    de: 'Bitte beantworten Sie jede Zeile. Noch offen: {min}.',
    fr: 'Veuillez répondre à chaque ligne. Restantes : {min}.',
    es: 'Responda a todas las filas. Faltan: {min}.',
    ar: 'يرجى الإجابة عن كل صف: بقي {min}.',
  },
};

type Rule = RuleOf<'matrix', typeof options>;
type Value = Record<string, string>;

/** The longest text of a row, in UTF-16 units, that is read, and the most rows. */
const lineCharsMax = 400;
const linesMax = 40;

/** The same answers for several rows: an object with the column of each row. */
export const matrix = {
  ...plainValue,
  ...counted,
  name: 'matrix',
  title: { en: 'Table with rows', de: 'Tabelle mit Zeilen' },
  options,
  docs: {
    options: '`rows` (1 to 20), `columns` (2 to 10), `rowsRequired`, `order`',
    value: 'map: the column of each row',
  },
  valueForm: 'objects of strings',
  effort: 'text',
  refusals: matrixRefusals,
  reportFaults({ rows, columns }, { locale }, report) {
    reportChoices(rows, locale, report, 'rows');
    reportChoices(columns, locale, report, 'columns');
  },
  inOrder: (rule, placeOf) => ({ ...rule, rows: inOrder(rule.rows, rule.order, placeOf) }),
  describeShown: (rule) => shownOrder(rule.rows, rule.order),
  celType: () => 'map<string, string>',
  celValue: (_rule, value) => new Map(Object.entries(value)),
  longestValue({ rows, columns }) {
    const longest = columns.reduce((one, { value }) => (value.length > one.length ? value : one), '');
    return Object.fromEntries(rows.map(({ value }) => [value, longest]));
  },
  readText(rule, text, language) {
    const readRow = choiceReader(rule.rows, language);
    const readColumn = choiceReader(rule.columns, language);
    const value = new Map<string, string>();
    for (const line of linesOf(text)) {
      const found = readLine(line, readRow, readColumn);
      const row = found?.row ?? rule.rows.find((one) => !value.has(one.value))?.value;
      if (found === undefined || row === undefined || value.has(row)) return undefined;
      value.set(row, found.column);
    }
    return Object.fromEntries(value);
  },
  checkValue({ rows, columns, rowsRequired }, value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { reason: 'not-a-matrix' };
    // A model says null for a row that it does not find.
    const given = new Map<string, unknown>(Object.entries(value).filter(([, column]) => column !== null));
    const known = new Set<unknown>(columns.map((one) => one.value));
    const chosen = rows.flatMap(({ value: row }): [string, string][] => {
      const column = given.get(row);
      return typeof column === 'string' && known.has(column) ? [[row, column]] : [];
    });
    if (chosen.length < given.size) return { reason: 'not-a-matrix' };
    if (chosen.length === 0) return { reason: 'required' };
    const min = rows.length - chosen.length;
    if (rowsRequired !== false && min > 0) return { reason: 'rows-missing', min };
    return { value: Object.fromEntries(chosen) };
  },
  sayValue: ({ rows, columns }, value, say) =>
    chosenIn(rows, value)
      .map(([row, column]) => `${sayChoice(rows, row, say)}: ${sayChoice(columns, column, say)}`)
      .join('\n'),
  scaleMax: () => undefined,
  evaluationText: (value) =>
    Object.entries(value)
      .map(([row, column]) => `${row}: ${column}`)
      .join('; '),
  describeRule: ({ rows, columns, rowsRequired }, say) => ({
    rows: describeChoices(rows, say),
    columns: describeChoices(columns, say),
    rowsRequired: rowsRequired !== false,
  }),
  describeAnswers: () => 'for each row one of these, by number or in words',
  modelSchema({ rows, columns }) {
    const column = { type: ['string', 'null'], enum: [...columns.map(({ value }) => value), null] };
    return {
      type: ['object', 'null'],
      properties: Object.fromEntries(rows.map(({ value }) => [value, column])),
      required: rows.map(({ value }) => value),
      additionalProperties: false,
    };
  },
  personalTexts: ({ columns }, value) =>
    Object.values(value).flatMap((column) => textsOfChoice(columns, column)),
  figure: 'rows',
  countableValues: ({ rows, columns }) =>
    rows.flatMap((row) => columns.map((column) => `${row.value}/${column.value}`)),
  partsOf: (text) => text.split('; ').map((part) => part.replace(': ', '/')),
  columns: ({ rows }) => rows.map(({ value }) => value),
} satisfies QuestionType<Rule, Value, keyof typeof matrixRefusals>;

/** Returns the rows that have an answer, in their order. */
function chosenIn(rows: Choice[], value: Value): [row: string, column: string][] {
  const chosen = new Map(Object.entries(value));
  return rows.flatMap(({ value: row }): [string, string][] => {
    const column = chosen.get(row);
    return column === undefined ? [] : [[row, column]];
  });
}

/** Returns what a text says of each row: in lines, between semicolons, else between commas. */
function linesOf(text: string): string[] {
  if (text.length > bodyCharsMax) return [];
  const folded = foldCharacters(text);
  const lines = folded.split(/[\n;]/);
  return (lines.length > 1 ? lines : folded.split(','))
    .filter((line) => line.trim() !== '')
    .slice(0, linesMax);
}

type Read = (text: string) => string | undefined;

/** Reads `row: column`, `row column`, or a column. */
function readLine(
  line: string,
  readRow: Read,
  readColumn: Read,
): { row?: string; column: string } | undefined {
  if (line.length > lineCharsMax) return undefined;
  const alone = readColumn(line);
  if (alone !== undefined) return { column: alone };
  for (const { index } of line.matchAll(/[:=\s]+/g)) {
    const row = readRow(line.slice(0, index));
    const column = row === undefined ? undefined : readColumn(line.slice(index).replace(/^[:=\s]+/, ''));
    if (row !== undefined && column !== undefined) return { row, column };
  }
  return undefined;
}
