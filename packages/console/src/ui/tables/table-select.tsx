import { type ReactNode, useMemo, useRef } from 'react';
import type { Rows } from '../../data/rows.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Checkbox } from '../forms/checkbox.tsx';
import { type InView, rowsBetween, type Selection } from './selection.ts';

/** Returns the box that chooses all rows in view. It changes with these rows only while some are chosen. */
export function useSelectAll<Row>(
  selection: Selection<Row> | undefined,
  rows: Rows<Row>,
  range: InView,
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
