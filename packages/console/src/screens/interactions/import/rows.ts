import type { NewInteraction } from '@parley/client';
import { customerIdFault } from '@parley/contracts/customer-id';
import { emailForm } from '@parley/contracts/email';
import { customerLimits, interactionLimits, isLonger } from '@parley/contracts/limits';
import type { CsvRow } from './csv.ts';

const { nameCharactersMax, emailCharactersMax } = customerLimits;
const { contextValueBytesMax } = interactionLimits;

/** What is wrong in a row, or in a cell of it. */
export interface RowFault {
  line: number;
  /** Empty: the whole row. */
  column: string;
  kind:
    | 'badEmail'
    | 'badId'
    | 'cellCount'
    | 'empty'
    | 'missingColumn'
    | 'repeatedColumn'
    | 'tooLong'
    | 'unknownColumn';
}

/** An invitation, and the line of its row. */
export interface Invitation {
  line: number;
  item: NewInteraction;
}

const details = ['firstName', 'lastName', 'email'] as const;
const contextPrefix = 'context.';

/** Returns the names of the columns that a bot takes. */
export function columnsFor(context: readonly string[]): string[] {
  return ['customerId', ...details, ...context.map((name) => contextPrefix + name)];
}

/** Returns the invitations of the rows after the header, and all faults. `context` is what the bot takes. */
export function checkRows(
  [header, ...rows]: CsvRow[],
  context: readonly string[],
): { items: Invitation[]; faults: RowFault[] } {
  if (!header || rows.length === 0) return { items: [], faults: [{ line: 1, column: '', kind: 'empty' }] };
  const names = header.cells.map((name) => name.trim());
  const faults = headerFaults(names, columnsFor(context)).map((fault) => ({ line: header.line, ...fault }));
  const items: Invitation[] = [];
  for (const { line, cells } of rows) {
    const found = rowFaults(names, cells);
    faults.push(...found.map((fault) => ({ line, ...fault })));
    if (found.length === 0) items.push({ line, item: itemOf(names, cells) });
  }
  return { items, faults };
}

type Fault = Omit<RowFault, 'line'>;

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

function cellFault(column: string, cell: string): RowFault['kind'] | undefined {
  if (column === 'customerId') return customerIdFault(cell) === undefined ? undefined : 'badId';
  if (column === 'email') {
    if (isLonger(cell, emailCharactersMax)) return 'tooLong';
    return cell === '' || emailForm.test(cell) ? undefined : 'badEmail';
  }
  const isLong = column.startsWith(contextPrefix)
    ? new TextEncoder().encode(cell).length > contextValueBytesMax
    : isLonger(cell, nameCharactersMax);
  return isLong ? 'tooLong' : undefined;
}

/** Returns the interaction of a row. An empty cell is a field that is not given. */
function itemOf(names: string[], cells: string[]): NewInteraction {
  const given = names
    .map((name, index) => [name, (cells[index] ?? '').trim()] as const)
    .filter(([, cell]) => cell !== '');
  const customer = given.filter(([name]) => details.some((detail) => detail === name));
  const context = given
    .filter(([name]) => name.startsWith(contextPrefix))
    .map(([name, value]) => ({ key: name.slice(contextPrefix.length), value }));
  return {
    customerId: new Map(given).get('customerId') ?? '',
    ...(customer.length > 0 && { customer: Object.fromEntries(customer) }),
    ...(context.length > 0 && { context }),
  };
}
