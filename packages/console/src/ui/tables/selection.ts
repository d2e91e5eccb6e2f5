import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Rows } from '../../data/rows.ts';

export interface Selection<Row> {
  /** The words for them, by their ids. */
  names: ReadonlyMap<string, string>;
  idOf(row: Row): string;
  nameOf(row: Row): string;
  add(names: ReadonlyMap<string, string>): void;
  /** Chooses a row or not, with `isRange` all between it and the one before. */
  toggle(index: number, row: Row, isRange: boolean): void;
  /** Chooses these rows, or none of them if all are chosen. */
  toggleAll(rows: readonly Row[]): void;
  /** Chooses none, or these no longer. */
  clear(ids?: readonly string[]): void;
}

/** How many rows can be chosen, and how many of them by one range. */
export const mostSelected = 10_000;
const mostInRange = 500;

const none: ReadonlyMap<string, string> = new Map();

/** Returns the selection of a list. It ends when the list has other filters, which `key` contains. */
export function useSelection<Row>(
  key: string,
  list: Pick<Rows<Row>, 'load'>,
  { idOf, nameOf }: Pick<Selection<Row>, 'idOf' | 'nameOf'>,
): Selection<Row> {
  const [{ ofKey, names }, setChosen] = useState({ ofKey: key, names: none });
  const last = useRef<number>(undefined);
  const { load } = list;
  // Not after the render: the former selection would be shown once more.
  if (ofKey !== key) setChosen({ ofKey: key, names: none });
  useEffect(() => () => void (last.current = undefined), [key]);
  const change = useCallback(
    (rows: readonly Row[], isChosen: boolean) => {
      setChosen((before) => {
        // It was asked for before the filters changed.
        if (before.ofKey !== key) return before;
        const entries = rows.map((row): [string, string] => [idOf(row), nameOf(row)]);
        return { ofKey: key, names: chosen(before.names, entries, isChosen) };
      });
    },
    [key, idOf, nameOf],
  );
  return useMemo(
    () => ({
      names,
      idOf,
      nameOf,
      add: (more) =>
        setChosen((before) => {
          if (before.ofKey !== key) return before;
          return { ofKey: key, names: chosen(before.names, more, true) };
        }),
      toggle: (index, row, isRange) => {
        const isChosen = !names.has(idOf(row));
        const from = last.current;
        last.current = index;
        if (!isRange || from === undefined) return change([row], isChosen);
        void load(...rangeOf(from, index)).then(
          (between) => change(between, isChosen),
          () => change([row], isChosen),
        );
      },
      toggleAll: (all) => change(all, !all.every((row) => names.has(idOf(row)))),
      clear: (ids) =>
        setChosen((before) => ({
          ofKey: before.ofKey,
          names: new Map(ids === undefined ? [] : without(before.names, new Set(ids))),
        })),
    }),
    [names, idOf, nameOf, change, load, key],
  );
}

/** Returns a selection in which these are chosen, up to the limit, or not. */
export function chosen(
  names: ReadonlyMap<string, string>,
  entries: Iterable<readonly [id: string, name: string]>,
  isChosen: boolean,
): Map<string, string> {
  const next = new Map(names);
  for (const [id, name] of entries) {
    if (!isChosen) next.delete(id);
    else if (next.size < mostSelected || next.has(id)) next.set(id, name);
  }
  return next;
}

/** Returns the first and the last row of a range between two, in any order, up to the limit. */
export function rangeOf(from: number, to: number): [first: number, last: number] {
  const first = Math.min(from, to);
  return [first, Math.min(Math.max(from, to), first + mostInRange - 1)];
}

function without(names: ReadonlyMap<string, string>, ids: ReadonlySet<string>): [string, string][] {
  return [...names].filter(([id]) => !ids.has(id));
}

/** The rows of a list in view; null without any. */
export type InView = { startIndex: number; endIndex: number } | null;

/** Returns the rows in view that have been loaded. */
export function rowsBetween<Row>(rows: Pick<Rows<Row>, 'at'>, inView: InView): Row[] {
  const { startIndex = 0, endIndex = -1 } = inView ?? {};
  const all = Array.from({ length: endIndex - startIndex + 1 }, (_, at) => rows.at(startIndex + at));
  return all.filter((row) => row !== undefined);
}
