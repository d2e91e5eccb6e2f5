import type { Control } from '@parley/bot/editing/forms';

/** Returns a number for a new entry that no entry has in its value or name. */
export function entryNumber(entries: readonly unknown[]): number {
  const taken = new Set(
    entries.map((entry) => {
      const isObject = typeof entry === 'object' && entry !== null;
      const value: unknown = isObject ? (Reflect.get(entry, 'value') ?? Reflect.get(entry, 'name')) : entry;
      return Number(/(\d+)$/.exec(String(value))?.[1] ?? Number.NaN);
    }),
  );
  let number = entries.length + 1;
  while (taken.has(number)) number += 1;
  return number;
}

/** Returns the members with another name for one, at its place. A name that is taken or empty changes nothing. */
export function withName(
  members: Record<string, unknown>,
  before: string,
  after: string,
): Record<string, unknown> {
  if (after === '' || Object.hasOwn(members, after)) return members;
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name === before ? after : name, value]),
  );
}

/** Orders fields: what customers read comes before the names in data. */
export function wordsFirst(one: { control: Control }, other: { control: Control }): number {
  return Number(other.control.kind === 'words') - Number(one.control.kind === 'words');
}
