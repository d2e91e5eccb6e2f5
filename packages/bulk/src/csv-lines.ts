import type { NewInteraction } from '@parley/client';
import { expirySeconds } from '@parley/contracts/expiry';
import { type CsvRow, readCsv } from './csv-reader.ts';
import { faultOf, type FileFault, faultsInOrder, type FilePlace, type ValueFault } from './faults.ts';
import {
  botIdRule,
  botKeyRule,
  contextFault,
  contextValueRule,
  customerIdRule,
  detailRules,
  expiryRule,
  instantRule,
  oneOf,
  priorities,
  type Rule,
  statuses,
} from './fields.ts';
import { type Defaults, type Line, type Lines, withDefaults } from './lines.ts';

/** A long number as spreadsheets save it: `491701234567` and `491701234568` are both `4.91701E+11`. */
const shortened = /^\d(?:[.,]\d+)?E\+\d+$/i;

const cellOfId: Rule = (text) => (shortened.test(text) ? faultOf('lostDigits') : customerIdRule(text));

/** The columns that are no context, with the rules of their cells. */
const rules = new Map<string, Rule>([
  ['customerId', cellOfId],
  ...Object.entries(detailRules),
  ['botKey', botKeyRule],
  ['botId', botIdRule],
  ['status', oneOf(statuses)],
  ['priority', oneOf(priorities)],
  ['expiry', expiryRule],
  ['availableFrom', instantRule],
]);
const contextPrefix = 'context.';

/** Returns the names of the columns, including one for each of these names of a context. */
export function columnsFor(context: readonly string[]): string[] {
  return [...rules.keys(), ...context.map((name) => contextPrefix + name)];
}

/** The names of the columns, for people. */
export const columnNames = columnsFor(['<name>']).join(', ');

export interface CsvLine extends Line {
  /** As they are in the file. */
  cells: string[];
}

export interface CsvLines extends Lines {
  lines: CsvLine[];
  separator: string;
  header: string[];
}

/**
 * Reads the interactions of a CSV file with a header row. Empty rows are skipped, an empty cell is a field that is not
 * given, and blanks around a cell do not count. Returns all faults in the order of the file. What is behind a fault of
 * the quotation marks is not read.
 */
export function readCsvLines(text: string, defaults: Defaults): CsvLines {
  const { separator, rows: all, fault } = readCsv(text);
  const [header, ...rows] = all;
  const form = { separator, header: header?.cells.map((cell) => cell.text) ?? [] };
  if (fault) return { ...form, lines: [], faults: [{ column: '', values: [], ...fault }] };
  if (!header) return { ...form, lines: [], faults: [wholeFile('empty', 1)] };
  const names = form.header.map((name) => name.trim());
  const faults = headerFaults(header, names);
  if (faults.length + rows.length === 0)
    return { ...form, lines: [], faults: [wholeFile('noRows', header.row)] };
  const lines: CsvLine[] = [];
  for (const row of rows) {
    const line = lineOf(row, names, defaults);
    faults.push(...line.faults);
    if (line.faults.length === 0) lines.push(line);
  }
  return { ...form, lines, faults: faultsInOrder(faults) };
}

function wholeFile(kind: 'empty' | 'noRows', row: number): FileFault {
  return { kind, values: [], row, column: '', offset: 0, length: 1 };
}

function headerFaults(header: CsvRow, names: readonly string[]): FileFault[] {
  const faults = names.flatMap((name, column) => {
    const fault = columnFault(name, names.indexOf(name) < column);
    return fault ? [cellFault(header, column, name, fault)] : [];
  });
  if (names.includes('customerId')) return faults;
  return [...faults, cellFault(header, 0, 'customerId', faultOf('missingColumn'))];
}

function columnFault(name: string, isRepeated: boolean): ValueFault | undefined {
  if (name === '') return faultOf('noName');
  if (isRepeated) return faultOf('repeatedColumn');
  if (rules.has(name) || (name.startsWith(contextPrefix) && name !== contextPrefix)) return undefined;
  return faultOf('unknownColumn', columnNames);
}

function lineOf(
  row: CsvRow,
  names: readonly string[],
  defaults: Defaults,
): CsvLine & { faults: FileFault[] } {
  const cells = row.cells.map((cell) => cell.text);
  const given = new Map(names.map((name, column) => [name, cells[column]?.trim() ?? '']));
  for (const [name, cell] of given) if (cell === '') given.delete(name);
  const fault = faultOf('cellCount', cells.length, names.length);
  const last = Math.min(cells.length, names.length) - 1;
  const item = withDefaults(itemOf(given), defaults);
  return {
    row: row.row,
    offset: row.cells[0]?.offset ?? 0,
    cells,
    item,
    placeOf: (pointer) => placeOf(row, names, given, pointer),
    faults:
      cells.length === names.length ? rowFaults(row, names, given, item) : [cellFault(row, last, '', fault)],
  };
}

function rowFaults(
  row: CsvRow,
  names: readonly string[],
  given: ReadonlyMap<string, string>,
  { context = [] }: NewInteraction,
): FileFault[] {
  const faults = names.flatMap((name, column) => {
    const cell = given.get(name);
    const isMissing = cell === undefined && name === 'customerId';
    const rule = name.startsWith(contextPrefix) ? contextValueRule : rules.get(name);
    const fault = isMissing ? faultOf('required') : cell !== undefined && rule?.(cell);
    return fault ? [cellFault(row, column, name, fault)] : [];
  });
  const fault = contextFault(context);
  return fault
    ? [...faults, { ...fault, row: row.row, ...placeOf(row, names, given, '/context/0') }]
    : faults;
}

function placeOf(
  row: CsvRow,
  names: readonly string[],
  given: ReadonlyMap<string, string>,
  pointer: string,
): FilePlace {
  const [, index] = /^\/context\/(\d+)/.exec(pointer) ?? [];
  const name =
    index === undefined
      ? pointer.slice(pointer.lastIndexOf('/') + 1)
      : ([...given.keys()].filter((one) => one.startsWith(contextPrefix))[Number(index)] ?? '');
  return placeIn(row, names.indexOf(name), name);
}

function cellFault(row: CsvRow, column: number, name: string, fault: ValueFault): FileFault {
  return { ...fault, row: row.row, ...placeIn(row, column, name) };
}

function placeIn({ cells }: CsvRow, column: number, name: string): FilePlace {
  const { offset, length } = cells[Math.max(0, column)] ?? cells.at(-1) ?? { offset: 0, length: 1 };
  return { column: name, offset, length };
}

/** Returns the interaction of a row. Values that do not fit are left out, because the row is faulty. */
function itemOf(given: ReadonlyMap<string, string>): NewInteraction {
  const entries = [...given];
  const customer = entries.filter(([name]) => Object.hasOwn(detailRules, name));
  const bot = entries.filter(([name]) => name === 'botKey' || name === 'botId');
  const context = entries
    .filter(([name]) => name.startsWith(contextPrefix))
    .map(([name, value]) => ({ key: name.slice(contextPrefix.length), value }));
  const status = statuses.find((one) => one === given.get('status'));
  const priority = priorities.find((one) => one === given.get('priority'));
  const expiry = expirySeconds(given.get('expiry') ?? '');
  const availableFrom = given.get('availableFrom');
  return {
    customerId: given.get('customerId') ?? '',
    ...(customer.length > 0 && { customer: Object.fromEntries(customer) }),
    ...Object.fromEntries(bot),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(expiry !== undefined && { expiry }),
    ...(availableFrom !== undefined && { availableFrom }),
    ...(context.length > 0 && { context }),
  };
}
