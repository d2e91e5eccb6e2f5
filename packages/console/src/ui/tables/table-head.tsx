import { type KeyboardEvent, memo, type PointerEvent, useRef } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../classes.ts';
import { narrowest, widest, type Widths } from './widths.ts';

export interface HeadColumn {
  id: string;
  header: string;
  /** The order of the list by this column. It is fixed, so nothing looks as if it could be changed. */
  order?: 'ascending' | 'descending' | undefined;
}

interface Props {
  columns: HeadColumn[];
  template: string;
  /** In pixels. Undefined: it has enough room. */
  minWidth: number | undefined;
  /** Undefined: they cannot be changed. */
  widths: Widths | undefined;
  first: React.ReactNode;
}

function Head({ columns, template, minWidth, widths, first }: Props) {
  return (
    <div
      role="rowgroup"
      style={{ minWidth }}
      className={classes(
        'rounded-t-lg bg-panel',
        // In a list that scrolls sideways, it would stay below the top of the list, not of the page.
        minWidth === undefined && 'sticky top-14 z-10 max-md:top-0',
      )}
    >
      <div
        role="row"
        aria-rowindex={1}
        className="grid items-center gap-x-3 border-b border-line px-4 py-2 text-xs font-medium text-quiet"
        style={{ gridTemplateColumns: template }}
      >
        {first}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} widths={widths} />
        ))}
      </div>
    </div>
  );
}

/** The row with the names of the columns. It stays in view if it has enough room. */
export const HeadRow = memo(Head);

function HeadCell({ column, widths }: { column: HeadColumn; widths: Widths | undefined }) {
  const cell = useRef<HTMLDivElement>(null);
  const { id, header, order } = column;
  return (
    <div
      ref={cell}
      role="columnheader"
      aria-sort={order}
      className="relative flex min-w-0 items-center gap-1"
    >
      <span className="truncate">{header}</span>
      {widths && (
        <WidthHandle
          name={header}
          width={widths.byId[id]}
          measure={() => cell.current?.offsetWidth ?? narrowest}
          set={(width) => widths.set(id, width)}
        />
      )}
    </div>
  );
}

interface HandleProps {
  name: string;
  width: number | undefined;
  measure(): number;
  set(width: number | undefined): void;
}

const stepPx = 16;

/** Changes the width of a column: by dragging, or with the arrow keys. Enter and a double click undo that. */
function WidthHandle({ name, width, measure, set }: HandleProps) {
  const { common } = useTexts();
  const drag = useRef<{ x: number; width: number }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: measure() };
  };
  const onPointerMove = ({ clientX }: PointerEvent): void => {
    if (drag.current) set(drag.current.width + clientX - drag.current.x);
  };
  const end = (): void => {
    drag.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    set(step === undefined ? undefined : measure() + step);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={common.widthOf(name)}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      aria-valuenow={width ?? narrowest}
      aria-valuetext={width === undefined ? common.automatic : `${width} px`}
      title={common.widthHow}
      className="group/handle absolute -right-4 z-10 flex h-6 w-5 cursor-col-resize touch-none justify-center"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => set(undefined)}
      onKeyDown={onKeyDown}
    >
      <span
        aria-hidden="true"
        className="my-1 w-px bg-line group-hover/handle:w-0.5 group-hover/handle:bg-accent group-focus/handle:w-0.5 group-focus/handle:bg-accent"
      />
    </div>
  );
}
