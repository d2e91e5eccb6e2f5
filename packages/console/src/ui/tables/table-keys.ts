import { type KeyboardEvent, type RefObject, useMemo } from 'react';
import type { Rows } from '../../data/rows.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Selection } from './selection.ts';
import { type Shortcut, useShortcuts } from '../forms/shortcuts.tsx';
import { useSingleKeys } from '../forms/single-keys.ts';

interface List<Row> {
  place: RefObject<HTMLElement | null>;
  total: number;
  rows: Rows<Row>;
  selection: Selection<Row> | undefined;
  scrollTo(index: number): void;
}

/** Returns what the keys of a list do: `j`, `k` and the arrows move between its rows, `x` chooses one. */
export function useTableKeys<Row>({ place, total, rows, selection, scrollTo }: List<Row>) {
  const hasLetters = useSingleKeys();
  const move = useMoves(place, total, scrollTo);
  const choose = useChoosing(rows, selection);
  useFirstMove(place);
  return (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || (key.length === 1 && !hasLetters)) return;
    move(event);
    choose(event);
  };
}

function useMoves(
  place: RefObject<HTMLElement | null>,
  total: number,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent) => void {
  return (event) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    if (step === undefined || !row) return;
    const index = Math.min(Math.max(Number(row.dataset['row']) + step, 0), total - 1);
    event.preventDefault();
    scrollTo(index);
    requestAnimationFrame(() => {
      place.current?.querySelector<HTMLElement>(`[data-row="${index}"] a`)?.focus({ preventScroll: true });
    });
  };
}

/** Lets `j` and `k` begin with the first row in view. */
function useFirstMove(place: RefObject<HTMLElement | null>): void {
  const { common } = useTexts();
  const shortcuts = useMemo((): Shortcut[] => {
    const run = (): void => {
      const head = place.current?.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
      const links = [...(place.current?.querySelectorAll<HTMLElement>('[data-row] a') ?? [])];
      links.find((link) => link.getBoundingClientRect().top >= head)?.focus();
    };
    return [
      { keys: 'j', label: common.nextRow, run },
      { keys: 'k', label: common.previousRow, run },
    ];
  }, [place, common]);
  useShortcuts(shortcuts);
}

/** Chooses the row of the focus with `x`, and with the shift key all rows since the last choice. */
function useChoosing<Row>(
  rows: Rows<Row>,
  selection: Selection<Row> | undefined,
): (event: KeyboardEvent) => void {
  return ({ key, target }) => {
    const at = (target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row'];
    const row = at === undefined ? undefined : rows.at(Number(at));
    if (row !== undefined && key.toLowerCase() === 'x') selection?.toggle(Number(at), row, key === 'X');
  };
}
