import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../classes.ts';
import { useNumbers } from '../time.tsx';
import { PlainTable } from './plain-table.tsx';

interface Series {
  name: string;
  tone: 'good' | 'bad' | 'accent' | 'quiet';
}

interface Props {
  label: string;
  series: Series[];
  /** One value for each series. */
  columns: { key: string; label: string; values: number[] }[];
  head: string[];
  rows: ReactNode[][];
}

const fills: Record<Series['tone'], string> = {
  good: 'fill-good',
  bad: 'fill-bad',
  accent: 'fill-accent',
  quiet: 'fill-strong-line',
};
const swatches: Record<Series['tone'], string> = {
  good: 'bg-good',
  bad: 'bg-bad',
  accent: 'bg-accent',
  quiet: 'bg-strong-line',
};

const height = 100;
const step = 12;
const columnsMin = 24;

/** A chart of columns, each series on top of the one before, with a table of its values. */
export function Columns({ label, series, columns, head, rows }: Props) {
  const most = Math.max(1, ...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const { count } = useNumbers();
  // Few columns are not wider than the columns of a day.
  const width = Math.max(columns.length, columnsMin) * step;
  return (
    <figure className="p-4">
      <p aria-hidden="true" className="text-xs text-quiet tabular-nums">
        {count(most)}
      </p>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-y border-t-line border-b-strong-line"
      >
        {columns.map(({ key, label: name, values }, index) => (
          <g key={key}>
            <title>
              {[name, ...series.map((one, at) => `${one.name}: ${count(values[at] ?? 0)}`)].join('\n')}
            </title>
            <rect x={index * step} width={step} height={height} className="fill-transparent" />
            <Stack x={index * step} values={values} series={series} most={most} />
          </g>
        ))}
      </svg>
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-quiet">
        <span>{columns[0]?.label}</span>
        {columns.length >= columnsMin && <span>{columns.at(-1)?.label}</span>}
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
        {series.map(({ name, tone }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={classes('size-2.5 rounded-sm', swatches[tone])} />
            {name}
          </span>
        ))}
      </figcaption>
      <TableTwin label={label} head={head} rows={rows} />
    </figure>
  );
}

/** A chart of columns for a row of a list, which has its figures as text. */
export function SmallColumns({ label, series, columns }: Pick<Props, 'label' | 'series' | 'columns'>) {
  const most = Math.max(1, ...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${columns.length * step} ${height}`}
      preserveAspectRatio="none"
      className="h-9 w-40 shrink-0 border-b border-strong-line"
    >
      {columns.map(({ key, values }, index) => (
        <Stack key={key} x={index * step} values={values} series={series} most={most} />
      ))}
    </svg>
  );
}

function Stack({ x, values, series, most }: { x: number; values: number[]; series: Series[]; most: number }) {
  let top = height;
  return values.map((value, index) => {
    const { name, tone = 'quiet' } = series[index] ?? {};
    const size = (value / most) * height;
    top -= size;
    return <rect key={name} x={x + 1} y={top} width={step - 2} height={size} className={fills[tone]} />;
  });
}

/** The numbers of a chart as a table, folded. */
export function TableTwin({ label, head, rows }: Pick<Props, 'label' | 'head' | 'rows'>) {
  const { common } = useTexts();
  return (
    <details className="mt-3">
      <summary className="text-xs text-quiet">{common.asTable}</summary>
      <div role="region" aria-label={label} tabIndex={0} className="mt-2 max-h-72 overflow-auto">
        <PlainTable head={head} rows={rows} className="text-xs tabular-nums" />
      </div>
    </details>
  );
}
