import type { NewInteraction, Priority } from '@parley/client';
import { customerIdFault } from '@parley/contracts/customer-id';
import { emailForm } from '@parley/contracts/email';
import { customerLimits, interactionLimits, isLonger } from '@parley/contracts/limits';
import { priorities } from '../filters.ts';
import type { CsvRow } from './csv.ts';

const { nameCharactersMax, emailCharactersMax } = customerLimits;
const { contextValueBytesMax, expirySecondsMax } = interactionLimits;

/** What is wrong in a row, or in a cell of it. */
export interface RowFault {
  line: number;
  /** Empty: the whole row. */
  column: string;
  kind:
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

/** An invitation, and the line of its row. */
export interface Invitation {
  line: number;
  item: NewInteraction;
}

const details = ['firstName', 'lastName', 'email'] as const;
/** Of the interaction: seconds from now, and one of the priorities. */
const options = ['expiry', 'priority'] as const;
const contextPrefix = 'context.';

/** Returns the names of the columns that a bot takes. */
export function columnsFor(context: readonly string[]): string[] {
  return ['customerId', ...details, ...options, ...context.map((name) => contextPrefix + name)];
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
  if (column === 'expiry') return isSeconds(cell) ? undefined : 'badExpiry';
  if (column === 'priority') return cell === '' || isPriority(cell) ? undefined : 'badPriority';
  const isLong = column.startsWith(contextPrefix)
    ? new TextEncoder().encode(cell).length > contextValueBytesMax
    : isLonger(cell, nameCharactersMax);
  return isLong ? 'tooLong' : undefined;
}

/** True for seconds from now, also for none. */
function isSeconds(cell: string): boolean {
  const seconds = Number(cell);
  return seconds >= 0 && seconds <= expirySecondsMax;
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
  const [expiry, priority] = options.map((name) => cells.get(name));
  return {
    customerId: cells.get('customerId') ?? '',
    ...(expiry !== undefined && { expiry: Number(expiry) }),
    ...(priority !== undefined && isPriority(priority) && { priority }),
    ...(customer.length > 0 && { customer: Object.fromEntries(customer) }),
    ...(context.length > 0 && { context }),
  };
}
