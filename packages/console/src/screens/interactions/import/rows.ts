import type { NewInteraction, Priority } from '@parley/client';
import { customerIdFault } from '@parley/contracts/customer-id';
import { emailForm } from '@parley/contracts/email';
import { expirySeconds } from '@parley/contracts/expiry';
import { customerLimits, interactionLimits, isLonger } from '@parley/contracts/limits';
import type { CsvFault, CsvFile } from '@parley/runtime/csv-reader';
import { priorities } from '../filters.ts';

const { nameCharactersMax, emailCharactersMax } = customerLimits;
const { contextValueBytesMax, expirySecondsMax } = interactionLimits;

/** What is wrong in a row, or in a cell of it. */
interface Fault {
  /** Empty: the whole row. */
  column: string;
  kind:
    | CsvFault['kind']
    | 'badEmail'
    | 'badExpiry'
    | 'badId'
    | 'badPriority'
    | 'cellCount'
    | 'empty'
    | 'missingColumn'
    | 'repeatedColumn'
    | 'tooLong'
    | 'unknownColumn';
}

/** Another row has another value for the same customer. */
interface Contradiction {
  column: string;
  kind: 'otherValue';
  otherRow: number;
}

/** A fault, and its row in the spreadsheet. */
export type RowFault = (Fault | Contradiction) & { row: number };

/** An invitation, and the row of the spreadsheet that it is from. */
export interface Invitation {
  row: number;
  cells: string[];
  item: NewInteraction;
}

/** What a file has: its form, for a file with the links, and either invitations or faults. */
export interface Checked {
  separator: string;
  header: string[];
  items: Invitation[];
  faults: RowFault[];
}

const details = ['firstName', 'lastName', 'email'] as const;
/** Of the interaction: seconds or days from now, and one of the priorities. */
const options = ['expiry', 'priority'] as const;
const contextPrefix = 'context.';

/** Returns the names of the columns that a bot takes. */
export function columnsFor(context: readonly string[]): string[] {
  return ['customerId', ...details, ...options, ...context.map((name) => contextPrefix + name)];
}

/** Returns the invitations of the rows after the header, and all faults. `context` is what the bot takes. */
export function checkRows({ separator, rows: all, fault }: CsvFile, context: readonly string[]): Checked {
  const [header, ...rows] = all.map(({ row, cells }) => ({ row, cells: cells.map(({ text }) => text) }));
  const form = { separator, header: header?.cells ?? [] };
  // The rows behind it are not known.
  if (fault) return { ...form, items: [], faults: [{ row: fault.row, column: '', kind: fault.kind }] };
  if (!header || rows.length === 0)
    return { ...form, items: [], faults: [{ row: 1, column: '', kind: 'empty' }] };
  const names = header.cells.map((name) => name.trim());
  const faults: RowFault[] = headerFaults(names, columnsFor(context)).map((one) => ({
    row: header.row,
    ...one,
  }));
  const items: Invitation[] = [];
  for (const { row, cells } of rows) {
    const found = rowFaults(names, cells);
    faults.push(...found.map((one) => ({ row, ...one })));
    if (found.length === 0) items.push({ row, cells, item: itemOf(names, cells) });
  }
  return { ...form, items, faults: [...faults, ...otherValues(items)].toSorted((a, b) => a.row - b.row) };
}

/** Finds rows that would replace what another row says about the same customer. */
function otherValues(items: readonly Invitation[]): RowFault[] {
  const first = new Map<string, { row: number; value: string }>();
  return items.flatMap(({ row, item: { customerId, customer = {} } }) =>
    details.flatMap((column): RowFault[] => {
      const value = customer[column];
      if (value === undefined) return [];
      const key = `${column} ${customerId}`;
      const earlier = first.get(key);
      if (!earlier) first.set(key, { row, value });
      if (!earlier || earlier.value === value) return [];
      return [{ row, column, kind: 'otherValue', otherRow: earlier.row }];
    }),
  );
}

function headerFaults(names: string[], known: string[]): Fault[] {
  const faults = names.flatMap((column, index): Fault[] => {
    if (!known.includes(column)) return [{ column, kind: 'unknownColumn' }];
    return names.indexOf(column) < index ? [{ column, kind: 'repeatedColumn' }] : [];
  });
  if (names.includes('customerId')) return faults;
  return [...faults, { column: 'customerId', kind: 'missingColumn' }];
}

function rowFaults(names: string[], cells: string[]): Fault[] {
  if (cells.length !== names.length) return [{ column: '', kind: 'cellCount' }];
  return names.flatMap((column, index): Fault[] => {
    const kind = cellFault(column, (cells[index] ?? '').trim());
    return kind ? [{ column, kind }] : [];
  });
}

function cellFault(column: string, cell: string): Fault['kind'] | undefined {
  if (column === 'customerId') return customerIdFault(cell) === undefined ? undefined : 'badId';
  if (column === 'email') {
    if (isLonger(cell, emailCharactersMax)) return 'tooLong';
    return cell === '' || emailForm.test(cell) ? undefined : 'badEmail';
  }
  if (column === 'expiry') return cell === '' || isExpiry(cell) ? undefined : 'badExpiry';
  if (column === 'priority') return cell === '' || isPriority(cell) ? undefined : 'badPriority';
  const isLong = column.startsWith(contextPrefix)
    ? new TextEncoder().encode(cell).length > contextValueBytesMax
    : isLonger(cell, nameCharactersMax);
  return isLong ? 'tooLong' : undefined;
}

function isExpiry(cell: string): boolean {
  const seconds = expirySeconds(cell);
  return seconds !== undefined && seconds <= expirySecondsMax;
}

function isPriority(cell: string): cell is Priority {
  return priorities.some((priority) => priority === cell);
}

/** Returns the interaction of a row. An empty cell is a field that is not given. */
function itemOf(names: string[], row: string[]): NewInteraction {
  const given = names
    .map((name, index) => [name, (row[index] ?? '').trim()] as const)
    .filter(([, cell]) => cell !== '');
  const customer = given.filter(([name]) => details.some((detail) => detail === name));
  const context = given
    .filter(([name]) => name.startsWith(contextPrefix))
    .map(([name, value]) => ({ key: name.slice(contextPrefix.length), value }));
  const cells = new Map(given);
  const [expires = '', priority] = options.map((name) => cells.get(name));
  const expiry = expirySeconds(expires);
  return {
    customerId: cells.get('customerId') ?? '',
    ...(expiry !== undefined && { expiry }),
    ...(priority !== undefined && isPriority(priority) && { priority }),
    ...(customer.length > 0 && { customer: Object.fromEntries(customer) }),
    ...(context.length > 0 && { context }),
  };
}
