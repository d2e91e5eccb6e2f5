import { memo, type ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../classes.ts';
import { Checkbox } from '../forms/checkbox.tsx';
import type { Selection } from './selection.ts';

/** The height of a row in pixels. */
export const rowHeight = 44;

interface Props<Row> {
  index: number;
  row: Row;
  columns: readonly { id?: string | undefined }[];
  /** How far it is below the top of the list, in pixels. */
  top: number;
  template: string;
  selection: Selection<Row> | undefined;
  cells(): ReactNode;
}

function BodyRow<Row>({ index, row, top, template, selection, cells }: Props<Row>) {
  const isSelected = selection?.names.has(selection.idOf(row));
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className={classes(
        'group absolute inset-x-0 grid items-center gap-x-3 border-b border-line px-4 contain-strict',
        isSelected ? 'bg-accent-soft' : 'bg-panel hover:bg-raised',
      )}
      style={{ height: rowHeight, transform: `translateY(${top}px)`, gridTemplateColumns: template }}
    >
      {selection && (
        <div role="cell">
          <SelectBox index={index} row={row} selection={selection} />
        </div>
      )}
      {cells()}
    </div>
  );
}

/** A row of a list. It is drawn again only if something of it has changed: a list is scrolled much. */
export const MemoRow = memo(BodyRow, (before, after) =>
  (['index', 'row', 'columns', 'top', 'template', 'selection'] as const).every(
    (name) => before[name] === after[name],
  ),
) as typeof BodyRow;

function SelectBox<Row>({ index, row, selection }: { index: number; row: Row; selection: Selection<Row> }) {
  const { common } = useTexts();
  return (
    <Checkbox
      label={common.select(selection.nameOf(row))}
      isChecked={selection.names.has(selection.idOf(row))}
      onToggle={(isRange) => selection.toggle(index, row, isRange)}
    />
  );
}
