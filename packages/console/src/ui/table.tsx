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
import { Checkbox } from './checkbox.tsx';
import { useIsNarrow } from './narrow.ts';
import type { Selection } from './selection.ts';
import { type Shortcut, useShortcuts } from './shortcuts.tsx';
import { type HeadColumn, HeadRow } from './table-head.tsx';
import { MemoRow, rowHeight } from './table-row.tsx';
import { leastPx, useWidth, useWidths } from './widths.ts';

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
  /** The list is in this order of the column. */
  order?: HeadColumn['order'];
};

type Look<Row extends object> = Pick<Column<Row>, 'width' | 'isNarrow' | 'isOptional' | 'order'>;

interface Props<Row extends object> {
  /** Under which the browser remembers the widths of the columns. */
  name: string;
  label: string;
  columns: Column<Row>[];
  rows: Rows<Row>;
  /** Ids of columns that are not shown. */
  hidden?: readonly string[];
  /** Undefined: rows cannot be chosen. */
  selection?: Selection<Row>;
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

const overscan = 8;
const anyWidth = 'minmax(0,1fr)';
const skeletonRows = 12;
const nothing: readonly string[] = [];
const gapPx = 12;
const paddingPx = 32;

/**
 * A list of any length: only rows in view exist. Arrow keys and `j`, `k` move between the links of the rows. The key
 * `x` chooses a row.
 */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { name, label, columns, rows, hidden = nothing, selection } = props;
  const place = useRef<HTMLDivElement>(null);
  const total = rows.total ?? skeletonRows;
  const { virtual, items, scrollMargin } = useVisible(place, total, rows.show);
  const widths = useWidths(name);
  const shown = useColumns(columns, hidden, widths.byId, selection !== undefined);
  // A list that needs more room scrolls sideways. Then its head does not stay in view.
  const isWide = shown.leastWidth > useWidth(place);
  const minWidth = isWide ? shown.leastWidth : undefined;
  const loaded = items.map(({ index }) => rows.at(index));
  const table = useCells(shown.columns, loaded);
  const move = useMoves(place, total, (index) => virtual.scrollToIndex(index));
  const onKeyDown = useChoosing(rows, selection, move);
  useFirstMove(place);
  const inView = (): Row[] => rowsBetween(rows, virtual.range);
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
        className={classes('card', isWide ? 'overflow-x-auto' : 'overflow-x-clip')}
      >
        <HeadRow
          columns={headOf(table)}
          template={shown.template}
          minWidth={minWidth}
          widths={shown.isNarrow ? undefined : widths}
          first={selection && <SelectAll selection={selection} inView={inView} />}
        />
        <div
          ref={place}
          role="rowgroup"
          onKeyDown={onKeyDown}
          className="relative"
          style={{ height: virtual.getTotalSize(), minWidth }}
        >
          {items.map(({ index, start }, at) => {
            const row = loaded[at];
            return (
              <MemoRow
                key={index}
                {...{ index, row, selection }}
                columns={shown.columns}
                top={start - scrollMargin}
                template={shown.template}
                cells={() => row && <Cells table={table} row={cellsAt.get(row)} />}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

function headOf<Row extends object>(table: ReactTable<Features, Row>): HeadColumn[] {
  return table.getVisibleLeafColumns().map(({ id, columnDef }) => ({
    id,
    header: columnDef.header as string,
    order: (columnDef as Column<Row>).order,
  }));
}

type TableRows<Row extends object> = ReturnType<ReactTable<Features, Row>['getRowModel']>['rows'];

interface CellsProps<Row extends object> {
  table: ReactTable<Features, Row>;
  row: TableRows<Row>[number] | undefined;
}

function Cells<Row extends object>({ table, row }: CellsProps<Row>) {
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
  useEffect(() => show(first, last), [show, first, last]);
  return { virtual, items, scrollMargin };
}

/** Chooses all rows in view. */
function SelectAll<Row>({ selection, inView }: { selection: Selection<Row>; inView(): Row[] }) {
  const { common } = useTexts();
  const all = inView();
  const chosen = all.filter((row) => selection.rows.has(selection.idOf(row))).length;
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

function rowsBetween<Row>(rows: Rows<Row>, range: { startIndex: number; endIndex: number } | null): Row[] {
  const { startIndex = 0, endIndex = -1 } = range ?? {};
  const all = Array.from({ length: endIndex - startIndex + 1 }, (_, at) => rows.at(startIndex + at));
  return all.filter((row) => row !== undefined);
}

function useColumns<Row extends object>(
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

/** Lets `j` and `k` begin with the first row in view. */
function useFirstMove(place: React.RefObject<HTMLElement | null>): void {
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

/** Chooses the row of the focus with `x`, and with the shift key all rows from the one that was chosen last. */
function useChoosing<Row>(
  rows: Rows<Row>,
  selection: Selection<Row> | undefined,
  move: (event: KeyboardEvent) => void,
) {
  return (event: KeyboardEvent): void => {
    move(event);
    const { key, target } = event;
    const at = (target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row'];
    const row = at === undefined ? undefined : rows.at(Number(at));
    if (row !== undefined && key.toLowerCase() === 'x') selection?.toggle(Number(at), row, key === 'X');
  };
}

/** The classes of the link in the first cell. All of the row opens it. */
export const rowLink: string = classes(
  'font-medium text-accent after:absolute after:inset-0 after:content-[""] hover:underline',
);
