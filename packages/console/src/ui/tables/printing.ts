import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Rows } from '../../data/rows.ts';

/** More rows than that are no list that somebody prints. */
const printedMax = 2_000;
const partRows = 200;

interface Printed<Row> {
  rows: Row[];
  total: number;
}

/**
 * Returns the rows that a list shows on paper; undefined while nothing is printed. The keys for printing load all of
 * them first. The browser's menu cannot wait: then only loaded rows are printed.
 */
export function usePrinted<Row>(rows: Rows<Row>, onError: (error: Error) => void): Printed<Row> | undefined {
  const cache = useQueryClient();
  const [printed, setPrinted] = useState<Printed<Row>>();
  const latest = useRef({ rows, onError, isReady: false });
  latest.current.rows = rows;
  latest.current.onError = onError;
  useEffect(() => {
    const show = (some: Row[]): void =>
      flushSync(() => setPrinted({ rows: some, total: latest.current.rows.total ?? some.length }));
    const before = (): void => {
      if (!latest.current.isReady) show(loadedRows(latest.current.rows));
    };
    const after = (): void => {
      latest.current.isReady = false;
      setPrinted(undefined);
    };
    const printAll = async (): Promise<void> => {
      try {
        show(await allRows(latest.current.rows));
        latest.current.isReady = true;
        await settled(() => cache.isFetching());
        window.print();
      } catch (error) {
        latest.current.onError(error as Error);
      }
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'p' || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void printAll();
    };
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
  return printed;
}

const settleMs = 50;
const settlesMax = 60;

/** Waits until what new rows need, such as names, is loaded: three seconds at most. */
async function settled(fetching: () => number): Promise<void> {
  for (let waits = 0; waits < settlesMax && (waits === 0 || fetching() > 0); waits += 1) {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
}

/** Returns those rows for paper that are loaded. */
export function loadedRows<Row>(rows: Pick<Rows<Row>, 'total' | 'at'>): Row[] {
  const all = Array.from({ length: Math.min(rows.total ?? 0, printedMax) }, (_, index) => rows.at(index));
  return all.filter((row) => row !== undefined);
}

/** Loads the rows for paper, a part at a time. */
export async function allRows<Row>(rows: Pick<Rows<Row>, 'total' | 'load'>): Promise<Row[]> {
  const total = Math.min(rows.total ?? 0, printedMax);
  const all: Row[] = [];
  for (let first = 0; first < total; first += partRows) {
    all.push(...(await rows.load(first, Math.min(first + partRows, total) - 1)));
  }
  return all;
}
