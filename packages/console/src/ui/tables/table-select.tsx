import { type ReactNode, useMemo, useRef } from 'react';
import type { Rows } from '../../data/rows.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Checkbox } from '../forms/checkbox.tsx';
import type { Selection } from './selection.ts';

type Range = { startIndex: number; endIndex: number } | null;

/** Returns the box that chooses all rows in view. It changes with these rows only while some are chosen. */
export function useSelectAll<Row>(
  selection: Selection<Row> | undefined,
  rows: Rows<Row>,
  range: Range,
): ReactNode {
  const inView = useRef<() => Row[]>(() => []);
  inView.current = () => rowsBetween(rows, range);
  return useMemo(
    () => selection && <SelectAll selection={selection} inView={() => inView.current()} />,
    [selection, selection?.names.size ? rows : undefined],
  );
}

function SelectAll<Row>({ selection, inView }: { selection: Selection<Row>; inView(): Row[] }) {
  const { common } = useTexts();
  const all = inView();
  const chosen = all.filter((row) => selection.names.has(selection.idOf(row))).length;
  return (
    <div role="columnheader">
      <Checkbox
        label={common.selectAll}
        isChecked={all.length > 0 && chosen === all.length}
        isMixed={chosen > 0 && chosen < all.length}
        onToggle={() => selection.toggleAll(inView())}
      />
    </div>
  );
}

function rowsBetween<Row>(rows: Rows<Row>, range: Range): Row[] {
  const { startIndex = 0, endIndex = -1 } = range ?? {};
  const all = Array.from({ length: endIndex - startIndex + 1 }, (_, at) => rows.at(startIndex + at));
  return all.filter((row) => row !== undefined);
}
