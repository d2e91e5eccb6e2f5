import {
  columnVisibilityFeature,
  createColumnHelper,
  type ColumnDef,
  type ReactTable,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Rows } from '../data/rows.ts';
import { useTexts } from '../texts/texts.tsx';
import { classes } from './classes.ts';
import { Problem } from './problem.tsx';
import { Skeleton } from './states.tsx';
import { useIsNarrow } from './narrow.ts';

const features = tableFeatures({ columnVisibilityFeature });
type Features = typeof features;
type Item = Record<string, unknown>;

/** A column of a list. */
export type Column<Row extends object> = ColumnDef<Features, Row> & {
  /** Its share of the width, for CSS grids. Default: one part. */
  width?: string;
  /** Whether it is shown on phones, too. */
  isNarrow?: boolean;
  /** Whether it is shown only if it is chosen. */
  isOptional?: boolean;
};

type Look<Row extends object> = Pick<Column<Row>, 'width' | 'isNarrow' | 'isOptional'>;

interface Props<Row extends object> {
  label: string;
  columns: Column<Row>[];
  rows: Rows<Row>;
  /** Ids of columns that are not shown. */
  hidden?: readonly string[];
}

/** Returns a function that makes columns of a list of `Row`. The first one has the link that opens the row. */
export function columnsOf<Row extends object>() {
  const helper = createColumnHelper<Features, Row>();
  return (
    id: string,
    header: string,
    cell: (row: Row) => React.ReactNode,
    look: Look<Row> = {},
  ): Column<Row> =>
    Object.assign(helper.display({ id, header, cell: ({ row }) => cell(row.original) }), look) as Column<Row>;
}

const rowHeight = 44;
const overscan = 8;
const anyWidth = 'minmax(0,1fr)';
const skeletonRows = 12;
/** A list with more columns scrolls sideways. Then its head does not stay in view. */
const columnsMax = 9;

/**
 * A list of any length: only rows in view exist. Arrow keys and `j`, `k` move between the links of the rows.
 */
export function DataTable<Row extends object>({ label, columns, rows, hidden = [] }: Props<Row>) {
  const place = useRef<HTMLDivElement>(null);
  const total = rows.total ?? skeletonRows;
  const { virtual, items, scrollMargin } = useVisible(place, total, rows.show);
  const shown = useColumns(columns, hidden);
  const loaded = items.map(({ index }) => rows.at(index));
  const table = useCells(shown.columns, loaded);
  const move = useMoves(place, total, (index) => virtual.scrollToIndex(index));
  if (rows.error && rows.total === undefined) return <Problem error={rows.error} retry={rows.retry} />;
  const cellsAt = new Map(table.getRowModel().rows.map((row) => [row.original, row]));
  return (
    <>
      {rows.error && <Problem error={rows.error} retry={rows.retry} />}
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.total === undefined ? -1 : total + 1}
        aria-busy={rows.isFetching}
        className={classes('card', shown.isWide ? 'overflow-x-auto' : 'overflow-x-clip')}
      >
        <HeadRow table={table} template={shown.template} />
        <div
          ref={place}
          role="rowgroup"
          onKeyDown={move}
          className="relative"
          style={{ height: virtual.getTotalSize() }}
        >
          {items.map(({ index, start }, at) => {
            const row = loaded[at];
            const cells = row && cellsAt.get(row)?.getVisibleCells();
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                data-row={index}
                className="group absolute inset-x-0 grid items-center gap-x-3 border-b border-line px-4 hover:bg-raised"
                style={{
                  height: rowHeight,
                  transform: `translateY(${start - scrollMargin}px)`,
                  gridTemplateColumns: shown.template,
                }}
              >
                {cells
                  ? cells.map((cell) => (
                      <div key={cell.id} role="cell" className="min-w-0 truncate">
                        <table.FlexRender cell={cell} />
                      </div>
                    ))
                  : shown.columns.map(({ id }) => <LoadingCell key={id} />)}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

function useVisible(place: React.RefObject<HTMLElement | null>, count: number, show: Rows<object>['show']) {
  const scrollMargin = useTop(place);
  const virtual = useWindowVirtualizer({ count, estimateSize: () => rowHeight, overscan, scrollMargin });
  const items = virtual.getVirtualItems();
  const [first = 0, last = 0] = [items[0]?.index, items.at(-1)?.index];
  useEffect(() => show(first, last), [show, first, last]);
  return { virtual, items, scrollMargin };
}

function LoadingCell() {
  const { common } = useTexts();
  return (
    <div role="cell">
      <span className="sr-only">{common.loading}</span>
      <Skeleton className="h-3.5 w-3/4" />
    </div>
  );
}

function HeadRow<Row extends object>({
  table,
  template,
}: {
  table: ReactTable<Features, Row>;
  template: string;
}) {
  return (
    <div role="rowgroup" className="sticky top-14 z-10 rounded-t-lg bg-panel max-md:top-0">
      <div
        role="row"
        aria-rowindex={1}
        className="grid gap-x-3 border-b border-line px-4 py-2 text-xs font-medium text-quiet"
        style={{ gridTemplateColumns: template }}
      >
        {table.getVisibleLeafColumns().map((column) => (
          <div key={column.id} role="columnheader" className="truncate">
            {column.columnDef.header as string}
          </div>
        ))}
      </div>
    </div>
  );
}

function useColumns<Row extends object>(columns: Column<Row>[], hidden: readonly string[]) {
  const isNarrow = useIsNarrow();
  return useMemo(() => {
    const chosen = columns.filter((column, index) => {
      if (isNarrow) return index === 0 || column.isNarrow;
      return !hidden.includes(column.id ?? '');
    });
    const widthOf = ({ width = anyWidth }: Column<Row>, index: number): string =>
      isNarrow && index === 0 ? anyWidth : width;
    const template = chosen.map(widthOf).join(' ');
    return { columns: chosen, template, isWide: chosen.length > columnsMax };
  }, [columns, hidden, isNarrow]);
}

function useCells<Row extends object>(
  columns: Column<Row>[],
  loaded: (Row | undefined)[],
): ReactTable<Features, Row> {
  const data = useMemo(() => loaded.filter((row) => row !== undefined), [loaded]);
  const options = { features, columns: columns as Column<Item>[], data: data as Item[] };
  return useTable<Features, Item>(options) as unknown as ReactTable<Features, Row>;
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

function useMoves(
  place: React.RefObject<HTMLElement | null>,
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

/** The classes of the link in the first cell. All of the row opens it. */
export const rowLink: string = classes(
  'font-medium text-accent after:absolute after:inset-0 after:content-[""] hover:underline',
);
