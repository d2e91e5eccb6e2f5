import {
  columnVisibilityFeature,
  createColumnHelper,
  type ColumnDef,
  type ReactTable,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Rows } from '../../data/rows.ts';
import { classes } from '../classes.ts';
import { Problem } from '../problem.tsx';
import { useIsNarrow } from './narrow.ts';
import type { Selection } from './selection.ts';
import { type HeadColumn, HeadRow } from './table-head.tsx';
import { useTableKeys } from './table-keys.ts';
import { PrintedTable } from './table-print.tsx';
import { MemoRow, rowHeight } from './table-row.tsx';
import { useSelectAll } from './table-select.tsx';
import { leastPx, useWidth, useWidths } from './widths.ts';

const features = tableFeatures({ columnVisibilityFeature });
type Features = typeof features;

export type Column<Row extends RowData> = ColumnDef<Features, Row> & {
  /** Its share of the width, for CSS grids. Default: one part. */
  width?: string;
  /** Whether it is shown on phones, too. */
  isNarrow?: boolean;
  /** Whether it is shown only if it is chosen. */
  isOptional?: boolean;
  /** The list is in this order of the column. */
  order?: HeadColumn['order'];
  draw(row: Row): React.ReactNode;
};

type Look<Row extends RowData> = Pick<Column<Row>, 'width' | 'isNarrow' | 'isOptional' | 'order'>;

interface Props<Row extends RowData> {
  /** Under which the browser remembers the widths of the columns. */
  name: string;
  label: string;
  columns: Column<Row>[];
  rows: Rows<Row>;
  hidden?: readonly string[];
  /** Undefined: rows cannot be chosen. */
  selection?: Selection<Row>;
}

/** Returns a function that makes columns of a list of `Row`. The first one has the link that opens the row. */
export function columnsOf<Row extends RowData>() {
  const helper = createColumnHelper<Features, Row>();
  return (
    id: string,
    header: string,
    cell: (row: Row) => React.ReactNode,
    look: Look<Row> = {},
  ): Column<Row> =>
    Object.assign(helper.display({ id, header, cell: ({ row }) => cell(row.original) }), look, {
      draw: cell,
    }) as Column<Row>;
}

const overscan = 4;

/** How long a list that is scrolled by more than a view for each frame must rest before its rows are loaded. */
const restMs = 80;
const anyWidth = 'minmax(0,1fr)';
const skeletonRows = 12;
const nothing: readonly string[] = [];
const gapPx = 12;
const paddingPx = 32;

/**
 * A list of any length: only rows in view exist. Arrow keys and `j`, `k` move between the links of the rows. The key
 * `x` chooses a row. On paper, it has all rows.
 */
export function DataTable<Row extends RowData>(props: Props<Row>) {
  const { label, columns, rows, hidden = nothing } = props;
  if (rows.error && rows.total === undefined) return <Problem error={rows.error} retry={rows.retry} />;
  const onPaper = columns.filter(({ id = '' }) => !hidden.includes(id));
  return (
    <>
      <PrintedTable label={label} rows={rows} columns={onPaper} />
      {rows.error && <Problem error={rows.error} retry={rows.retry} />}
      <ScreenTable {...props} />
    </>
  );
}

function ScreenTable<Row extends RowData>(props: Props<Row>) {
  const { name, label, columns, rows, hidden = nothing, selection } = props;
  const place = useRef<HTMLDivElement>(null);
  const total = rows.total ?? skeletonRows;
  const { virtual, items, scrollMargin } = useVisible(place, total, rows.show);
  const widths = useWidths(name);
  const shown = useColumns(columns, hidden, widths.byId, selection !== undefined);
  // A list that needs more room scrolls sideways. Then its head does not stay in view.
  const minWidth = shown.leastWidth > useWidth(place) ? shown.leastWidth : undefined;
  const loaded = items.map(({ index }) => rows.at(index));
  const table = useCells(shown.columns, loaded);
  const onKeyDown = useTableKeys({ place, total, rows, selection, scrollTo: virtual.scrollToIndex });
  const head = useMemo(() => headOf(table), [shown.columns]);
  const first = useSelectAll(selection, rows, virtual.range);
  const cellsAt = new Map(table.getRowModel().rows.map((row) => [row.original, row]));
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.total === undefined ? -1 : total + 1}
      aria-busy={rows.isFetching}
      className={classes('card print:hidden', minWidth === undefined ? 'overflow-x-clip' : 'overflow-x-auto')}
    >
      <HeadRow
        columns={head}
        template={shown.template}
        minWidth={minWidth}
        widths={shown.isNarrow ? undefined : widths}
        first={first}
      />
      <div
        ref={place}
        role="rowgroup"
        onKeyDown={onKeyDown}
        className="rows relative"
        style={{ height: virtual.getTotalSize(), minWidth }}
      >
        {items.map(({ index, start }, at) => {
          const row = loaded[at];
          // What is being loaded is only a background. Fast scrolling would make hundreds of elements a frame.
          if (row === undefined) return undefined;
          return (
            <MemoRow
              key={index}
              {...{ index, row, selection }}
              columns={shown.columns}
              top={start - scrollMargin}
              template={shown.template}
              cells={() => <Cells table={table} row={cellsAt.get(row)} />}
            />
          );
        })}
      </div>
    </div>
  );
}

function headOf<Row extends RowData>(table: ReactTable<Features, Row>): HeadColumn[] {
  return table.getVisibleLeafColumns().map(({ id, columnDef }) => ({
    id,
    header: columnDef.header as string,
    order: (columnDef as Column<Row>).order,
  }));
}

type TableRows<Row extends RowData> = ReturnType<ReactTable<Features, Row>['getRowModel']>['rows'];

interface CellsProps<Row extends RowData> {
  table: ReactTable<Features, Row>;
  row: TableRows<Row>[number] | undefined;
}

function Cells<Row extends RowData>({ table, row }: CellsProps<Row>) {
  return row?.getVisibleCells().map((cell) => (
    <div key={cell.id} role="cell" className="min-w-0 truncate">
      <table.FlexRender cell={cell} />
    </div>
  ));
}

function useVisible(place: React.RefObject<HTMLElement | null>, count: number, show: Rows<object>['show']) {
  const scrollMargin = useTop(place);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin,
    // A render for each frame, not for each event.
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const [first = 0, last = 0] = [items[0]?.index, items.at(-1)?.index];
  const shown = useRef(first);
  useEffect(() => {
    const isFast = Math.abs(first - shown.current) > items.length;
    shown.current = first;
    const timer = setTimeout(() => show(first, last), isFast ? restMs : 0);
    return () => clearTimeout(timer);
    // Only the rows matter, not how many of them fit.
  }, [show, first, last]);
  return { virtual, items, scrollMargin };
}

function useColumns<Row extends RowData>(
  columns: Column<Row>[],
  hidden: readonly string[],
  widths: Readonly<Record<string, number>>,
  hasBoxes: boolean,
) {
  const isNarrow = useIsNarrow();
  return useMemo(() => {
    const chosen = columns.filter((column, index) => {
      if (isNarrow) return index === 0 || column.isNarrow;
      return !hidden.includes(column.id ?? '');
    });
    const widthOf = ({ id = '', width = anyWidth }: Column<Row>, index: number): string => {
      if (isNarrow) return index === 0 ? anyWidth : width;
      const own = widths[id];
      return own === undefined ? width : `${own}px`;
    };
    const tracks = [...(hasBoxes ? ['1rem'] : []), ...chosen.map(widthOf)];
    const least = tracks.reduce((sum, track) => sum + leastPx(track) + gapPx, paddingPx - gapPx);
    return { columns: chosen, template: tracks.join(' '), isNarrow, leastWidth: least };
  }, [columns, hidden, isNarrow, widths, hasBoxes]);
}

function useCells<Row extends RowData>(
  columns: Column<Row>[],
  loaded: (Row | undefined)[],
): ReactTable<Features, Row> {
  const data = useMemo(() => loaded.filter((row) => row !== undefined), [loaded]);
  return useTable<Features, Row>({ features, columns, data });
}

/** Returns how far an element is below the top of the page. */
function useTop(place: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const box = place.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [place]);
  return top;
}
