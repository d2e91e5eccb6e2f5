import type { Columns, encoders } from '@parley/postgres/sql/arrays';
import type { InteractionChange, NewInteraction } from './store.ts';

type Written = { [Name in keyof NewInteraction]: 'once' } & { [Name in keyof InteractionChange]: 'changes' };

/**
 * The columns that statements write, with their types. `once`: only a creation sets it. `changes`: only a change does.
 * `both`: both do. A column that is missing here does not compile.
 */
const columns = {
  id: ['uuid', 'once'],
  workspaceId: ['uuid', 'once'],
  customerId: ['text', 'once'],
  botId: ['uuid', 'once'],
  botVersion: ['int', 'both'],
  status: ['text', 'both'],
  priority: ['text', 'both'],
  type: ['text', 'once'],
  typeLabel: ['text', 'once'],
  isTest: ['boolean', 'once'],
  context: ['json', 'both'],
  expiresAt: ['timestamptz', 'both'],
  offeredAt: ['timestamptz', 'both'],
  availableFrom: ['timestamptz', 'both'],
  createdAt: ['timestamptz', 'once'],
  state: ['json', 'both'],
  transcript: ['json', 'both'],
  evaluation: ['json', 'both'],
  seq: ['int', 'both'],
  startedAt: ['timestamptz', 'both'],
  completedAt: ['timestamptz', 'both'],
  stallsAt: ['timestamptz', 'both'],
  modelDueAt: ['timestamptz', 'both'],
  modelTries: ['int', 'changes'],
  modelTraceparent: ['text', 'both'],
  redactedVersion: ['int', 'changes'],
  linkVersion: ['int', 'changes'],
} as const satisfies {
  [Name in keyof Written]-?: readonly [
    keyof typeof encoders,
    Name extends keyof NewInteraction ? (Name extends keyof InteractionChange ? 'both' : 'once') : 'changes',
  ];
};

export type ColumnName = keyof typeof columns;

/** Values as SQL has them, by column: JSON is text. */
export type Values = { [Name in ColumnName]?: string | number | boolean | Date | null };

const names = Object.keys(columns) as ColumnName[];
const created = names.filter((name) => columns[name][1] !== 'changes');
const changeable = names.filter((name) => columns[name][1] !== 'once');

export function createdValues(row: NewInteraction): Values {
  return valuesOf(created, row);
}

export function changedValues(change: InteractionChange): Values {
  return valuesOf(changeable, change);
}

function valuesOf(of: readonly ColumnName[], row: Partial<NewInteraction & InteractionChange>): Values {
  const values: Values = {};
  for (const name of of) {
    const value = row[name];
    if (value === undefined) continue;
    const isPlain = value === null || typeof value !== 'object' || value instanceof Date;
    values[name] = isPlain ? value : JSON.stringify(value);
  }
  return values;
}

/** Returns the size of the values that can be large: texts, in UTF-16 units. */
export function sizeOf(values: Values): number {
  let size = 0;
  for (const value of Object.values(values)) if (typeof value === 'string') size += value.length;
  return size;
}

/** Returns the columns of a table of items, for `tableOf`. A value that an item does not have is null. */
export function columnsOf<Item extends { values: Values }>(of: readonly ColumnName[]): Columns<Item> {
  const all = of.map((name) => [name, [columns[name][0], ({ values }: Item) => values[name] ?? null]]);
  return Object.fromEntries(all) as Columns<Item>;
}

export const createdColumns: readonly ColumnName[] = created;
