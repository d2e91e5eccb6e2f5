import { isJsonObject } from '@parley/runtime/json/json-object';
import { pointerTo } from '@parley/runtime/json/json-pointer';
import type { Report } from '../report/report.ts';

/**
 * A value of the file that is imported, with its place. Reading a text, number or flag notes that it was read: what
 * nobody reads is reported (`reportUnread`).
 */
export type Source = {
  value: unknown;
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  /** Returns a member or an item. Its value is undefined if there is none. */
  at(...path: (string | number)[]): Source;
  /** Returns undefined for another type, which is then not read. */
  text(): string | undefined;
  number(): number | undefined;
  flag(): boolean | undefined;
  /** Empty if it is no list. */
  items(): Source[];
  /** Empty if it is no object. */
  members(): [name: string, member: Source][];
  /** Notes that a text, number or flag says nothing that a bot needs. */
  pass(): void;
};

/** Returns the whole of a file, and the pointers of the values that were read of it. */
export function openSource(value: unknown): { root: Source; read: Set<string> } {
  const read = new Set<string>();
  return { root: sourceAt(value, [], read), read };
}

function sourceAt(value: unknown, path: readonly (string | number)[], read: Set<string>): Source {
  const pointer = pointerTo(path);
  const note = <T>(wanted: boolean, one: T): T | undefined => {
    if (!wanted) return undefined;
    read.add(pointer);
    return one;
  };
  return {
    value,
    pointer,
    at: (...names) =>
      sourceAt(
        names.reduce((inside: unknown, name) => memberOf(inside, name), value),
        [...path, ...names],
        read,
      ),
    text: () => note(typeof value === 'string', value as string),
    number: () => note(typeof value === 'number', value as number),
    flag: () => note(typeof value === 'boolean', value as boolean),
    items: () =>
      Array.isArray(value) ? value.map((one, index) => sourceAt(one, [...path, index], read)) : [],
    members: () =>
      isJsonObject(value)
        ? Object.entries(value).map(([name, one]) => [name, sourceAt(one, [...path, name], read)])
        : [],
    pass: () => void note(typeof value !== 'object' && value !== undefined, value),
  };
}

function memberOf(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return typeof name === 'number' ? value[name] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns whether the value says nothing: null, an empty text, list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

/**
 * Reports what was neither read nor reported: the outermost values of which nothing was, unless they are empty. Adds an
 * entry for each value that was read and is in no entry.
 */
export function reportUnread(root: Source, read: ReadonlySet<string>, report: Report): void {
  const covered = new Set(report.places());
  const named = new Set(report.entries.map(({ pointer }) => pointer));
  const around = new Set([...read, ...named].flatMap(prefixesOf));
  const visit = (one: Source, isNamed: boolean): void => {
    const { value, pointer } = one;
    if (isEmpty(value) || covered.has(pointer)) return;
    if (read.has(pointer)) return isNamed || named.has(pointer) ? undefined : report.converted(one, 'used');
    if (pointer !== '' && !around.has(pointer) && !named.has(pointer))
      return report.dropped(one, 'unknown', { name: nameOf(pointer) });
    const isInside = isNamed || named.has(pointer);
    const inside = [...one.items(), ...one.members().map(([, member]) => member)];
    if (inside.length === 0) return report.dropped(one, 'unknown', { name: nameOf(pointer) });
    for (const member of inside) visit(member, isInside);
  };
  visit(root, false);
}

function nameOf(pointer: string): string {
  return pointer.split('/').at(-1) ?? '';
}

function prefixesOf(pointer: string): string[] {
  const parts = pointer.split('/');
  return parts.map((_, taken) => parts.slice(0, taken).join('/')).slice(1);
}
