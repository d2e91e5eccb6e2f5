import { type CsvError, parse } from 'csv-parse/sync';
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

/** A row with its place in the text. */
interface Row {
  cells: string[];
  offset: number;
  raw: string;
}

/** Returns the delimiter of a CSV file: the one of comma, semicolon and TAB that its first line has most of. */
export function delimiterOf(text: string): string {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string): number => header.split(delimiter).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/**
 * Reads a CSV file (RFC 4180) with a header row. Empty rows are skipped, and an empty cell is a field that is not
 * given. Returns all faults of the header, or of the rows' form.
 */
export function readCsv(file: string, text: string): Lines {
  const delimiter = delimiterOf(text);
  const read = rowsOf(file, text, delimiter);
  if ('faults' in read) return read;
  const [header, ...rows] = read.rows;
  const place = (row: Row, column: number, fault: Fault): FaultInFile => {
    const { begin, length } = cellIn(row.raw, delimiter, column);
    return { ...fault, place: placeIn(file, text, row.offset + begin, length) };
  };
  if (!header) {
    return { faults: [{ pointer: '', detail: 'The file is empty', place: placeIn(file, text, 0, 1) }] };
  }
  const names = header.cells.map((name) => name.trim());
  const faults = headerFaults(names).map(({ column, ...fault }) => place(header, column, fault));
  for (const row of rows) {
    const { length } = row.cells;
    if (length === names.length) continue;
    const detail = `The row has ${length} cells, and the header has ${names.length}`;
    faults.push(place(row, Math.min(length, names.length) - 1, { pointer: '', detail }));
  }
  if (faults.length > 0) return { faults };
  return { lines: lineOf(rows, names, text, place) };
}

function rowsOf(file: string, text: string, delimiter: string): { rows: Row[] } | { faults: FaultInFile[] } {
  let end = 0;
  try {
    const records = parse(text, {
      delimiter,
      raw: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as { record: string[]; raw: string }[];
    const rows = records.map(({ record: cells, raw: given }) => {
      // It has parts of the line breaks around the row.
      const raw = given.replace(/^[\r\n]+|[\r\n]+$/g, '');
      const offset = text.indexOf(raw, end);
      end = offset + raw.length;
      return { cells, offset, raw };
    });
    return { rows };
  } catch (error) {
    const { message, lines } = error as CsvError & { lines?: number };
    if (lines === undefined) throw error;
    const before = text.split('\n', lines - 1).join('\n');
    const offset = Math.min(text.length, before.length + (lines > 1 ? 1 : 0));
    return { faults: [{ pointer: '', detail: message, place: placeIn(file, text, offset, 1) }] };
  }
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

function lineOf(
  rows: readonly Row[],
  names: readonly string[],
  text: string,
  place: (row: Row, column: number, fault: Fault) => FaultInFile,
): Line[] {
  let [counted, number] = [0, 1];
  return rows.map((row) => {
    number += text.slice(counted, row.offset).split(/\r\n|\n|\r/).length - 1;
    counted = row.offset;
    const { value, columns } = bodyOf(row.cells, names);
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
function bodyOf(cells: readonly string[], names: readonly string[]) {
  const value: Record<string, unknown> = {};
  const customer: Record<string, string> = {};
  const context: { key: string; value: string }[] = [];
  const columns: [pointer: string, column: number][] = [];
  for (const [column, name] of names.entries()) {
    const cell = cells[column] ?? '';
    if (cell === '') continue;
    const [first = '', second] = fields[name] ?? [];
    if (first === '') {
      columns.push([`/context/${context.length}`, column]);
      context.push({ key: name.slice(contextPrefix.length), value: cell });
    } else {
      columns.push([`/${(fields[name] ?? []).join('/')}`, column]);
      if (second !== undefined) customer[second] = cell;
      else value[first] = first === 'expiry' && /^\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell;
    }
  }
  if (Object.keys(customer).length > 0) value['customer'] = customer;
  if (context.length > 0) value['context'] = context;
  return { value, columns };
}

/** Returns where a cell is in the text of its row. */
function cellIn(raw: string, delimiter: string, cell: number): { begin: number; length: number } {
  let [begin, index, isQuoted] = [0, 0, false];
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || character !== delimiter) continue;
    if (index === cell) return { begin, length: at - begin };
    index += 1;
    begin = at + 1;
  }
  return { begin, length: raw.slice(begin).trimEnd().length };
}
