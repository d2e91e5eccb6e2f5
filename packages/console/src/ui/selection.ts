import { useCallback, useMemo, useRef, useState } from 'react';
import type { Rows } from '../data/rows.ts';

/** The rows of a list that a person has chosen. */
export interface Selection<Row> {
  /** By their ids. */
  rows: ReadonlyMap<string, Row>;
  idOf(row: Row): string;
  /** Returns the words for a row. */
  nameOf(row: Row): string;
  /** Chooses a row or not, with `isRange` all between it and the one before. */
  toggle(index: number, row: Row, isRange: boolean): void;
  /** Chooses these rows, or none of them if all are chosen. */
  toggleAll(rows: readonly Row[]): void;
  /** Chooses none, or these no longer. */
  clear(ids?: readonly string[]): void;
}

/** How many rows can be chosen. */
export const mostSelected = 500;

const none = new Map<string, never>();

interface Chosen<Row> {
  key: string;
  rows: ReadonlyMap<string, Row>;
}

/** Returns the selection of a list. It ends when the list has other filters, which `key` contains. */
export function useSelection<Row>(
  key: string,
  list: Pick<Rows<Row>, 'load'>,
  { idOf, nameOf }: Pick<Selection<Row>, 'idOf' | 'nameOf'>,
): Selection<Row> {
  const [chosen, setChosen] = useState<Chosen<Row>>({ key, rows: new Map() });
  const last = useRef<number>(undefined);
  const { load } = list;
  const change = useCallback(
    (rows: readonly Row[], isChosen: boolean) => {
      setChosen((before) => {
        const next = new Map(before.key === key ? before.rows : []);
        for (const row of rows) {
          if (!isChosen) next.delete(idOf(row));
          else if (next.size < mostSelected) next.set(idOf(row), row);
        }
        return { key, rows: next };
      });
    },
    [key, idOf],
  );
  const rows: ReadonlyMap<string, Row> = chosen.key === key ? chosen.rows : none;
  return useMemo(
    () => ({
      rows,
      idOf,
      nameOf,
      toggle: (index, row, isRange) => {
        const isChosen = !rows.has(idOf(row));
        const from = last.current;
        last.current = index;
        if (!isRange || from === undefined) return change([row], isChosen);
        const [first, end] = [Math.min(from, index), Math.max(from, index)];
        void load(first, Math.min(end, first + mostSelected)).then(
          (between) => change(between, isChosen),
          () => change([row], isChosen),
        );
      },
      toggleAll: (all) => change(all, !all.every((row) => rows.has(idOf(row)))),
      clear: (ids) =>
        setChosen((before) => ({
          key,
          rows: new Map([...before.rows].filter(([id]) => ids !== undefined && !ids.includes(id))),
        })),
    }),
    [rows, idOf, nameOf, change, load, key],
  );
}
