import { expirySeconds } from '@parley/contracts/expiry';
import { type CsvFault, type CsvRow, readCsv } from '@parley/runtime/csv-reader';
import type { Fault } from '@parley/runtime/errors';
import type { FaultInFile } from '../failure.ts';
import { placeIn } from '../place.ts';
import type { Line, Lines } from './line.ts';

/** The columns and the field of the body that each fills. */
const fields: Record<string, string[]> = {
  customerId: ['customerId'],
  firstName: ['customer', 'firstName'],
  lastName: ['customer', 'lastName'],
  email: ['customer', 'email'],
  botKey: ['botKey'],
  botId: ['botId'],
  status: ['status'],
  priority: ['priority'],
  expiry: ['expiry'],
};
const contextPrefix = 'context.';

/** The names of the columns, for people. */
export const columnNames = [...Object.keys(fields), `${contextPrefix}<name>`].join(', ');

const formFaults: Record<CsvFault['kind'], string> = {
  lostCharacter: 'Has U+FFFD: a character was lost when the file was saved',
  strayQuote: 'Has a quotation mark that is neither around the cell nor doubled',
  unclosedQuote: 'The quotation mark is not closed',
};

/**
 * Reads a CSV file with a header row. Empty rows are skipped, and an empty cell is a field that is not given. Returns
 * the first fault of the file's form, or all of the header and of the rows' lengths.
 */
export function readCsvLines(file: string, text: string): Lines {
  const { rows: all, fault } = readCsv(text);
  if (fault) {
    const { kind, offset, length } = fault;
    const place = placeIn(file, text, offset, length);
    return { faults: [{ pointer: '', detail: formFaults[kind], place }] };
  }
  const [header, ...rows] = all;
  const place = ({ cells }: CsvRow, column: number, fault: Fault): FaultInFile => {
    const { offset, length } = cells[column] ?? cells.at(-1) ?? { offset: 0, length: 1 };
    return { ...fault, place: placeIn(file, text, offset, length) };
  };
  if (!header) {
    return { faults: [{ pointer: '', detail: 'The file is empty', place: placeIn(file, text, 0, 1) }] };
  }
  const names = header.cells.map((cell) => cell.text.trim());
  const faults = headerFaults(names).map(({ column, ...fault }) => place(header, column, fault));
  for (const row of rows) {
    const { length } = row.cells;
    if (length === names.length) continue;
    const detail = `The row has ${length} cells, and the header has ${names.length}`;
    faults.push(place(row, Math.min(length, names.length) - 1, { pointer: '', detail }));
  }
  if (faults.length > 0) return { faults };
  return { lines: linesOf(rows, names, text, place) };
}

function headerFaults(names: readonly string[]): (Fault & { column: number })[] {
  const faults = names.flatMap((name, column) => {
    const pointer = name;
    if (name === '') return [{ column, pointer, detail: 'The column has no name' }];
    if (names.indexOf(name) < column)
      return [{ column, pointer, detail: 'There are two columns of this name' }];
    if (Object.hasOwn(fields, name) || (name.startsWith(contextPrefix) && name !== contextPrefix)) return [];
    return [{ column, pointer, detail: `Is not a known column; known: ${columnNames}` }];
  });
  if (names.includes('customerId')) return faults;
  return [...faults, { column: 0, pointer: 'customerId', detail: 'The column is missing' }];
}

function linesOf(
  rows: readonly CsvRow[],
  names: readonly string[],
  text: string,
  place: (row: CsvRow, column: number, fault: Fault) => FaultInFile,
): Line[] {
  let [counted, number] = [0, 1];
  return rows.map((row) => {
    const offset = row.cells[0]?.offset ?? counted;
    number += text.slice(counted, offset).split(/\r\n|\n|\r/).length - 1;
    counted = offset;
    const { value, columns } = bodyOf(row, names);
    return {
      number,
      value,
      place: ({ pointer, detail }) => {
        const at = columns.find(([prefix]) => pointer === prefix || pointer.startsWith(`${prefix}/`));
        const column = at?.[1] ?? Math.max(0, names.indexOf(nameOf(pointer)));
        return place(row, column, { pointer: at ? (names[column] ?? '') : nameOf(pointer), detail });
      },
    };
  });
}

/** Returns the name of the column that a field without a cell would have. */
function nameOf(pointer: string): string {
  const path = pointer.slice(1).replaceAll('/', '.');
  const known = Object.entries(fields).find(([, field]) => field.join('.') === path);
  return known?.[0] ?? path;
}

/** Returns the body of a row, and the column of each field by its pointer. */
function bodyOf({ cells }: CsvRow, names: readonly string[]) {
  const value: Record<string, unknown> = {};
  const customer: Record<string, string> = {};
  const context: { key: string; value: string }[] = [];
  const columns: [pointer: string, column: number][] = [];
  for (const [column, name] of names.entries()) {
    const cell = cells[column]?.text ?? '';
    if (cell === '') continue;
    const [first = '', second] = fields[name] ?? [];
    if (first === '') {
      columns.push([`/context/${context.length}`, column]);
      context.push({ key: name.slice(contextPrefix.length), value: cell });
    } else {
      columns.push([`/${(fields[name] ?? []).join('/')}`, column]);
      if (second !== undefined) customer[second] = cell;
      else value[first] = first === 'expiry' ? (expirySeconds(cell.trim()) ?? cell) : cell;
    }
  }
  if (Object.keys(customer).length > 0) value['customer'] = customer;
  if (context.length > 0) value['context'] = context;
  return { value, columns };
}
