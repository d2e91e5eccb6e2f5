import type { InsightWeek } from '@parley/client';
import { useTexts } from '../../../texts/texts.tsx';
import { TableTwin } from '../../../ui/tables/columns.tsx';
import { useDay, useDecimal } from '../../../ui/time.tsx';

/** The chart is as high as the scores from -100 to 100. */
const height = 200;
const step = 20;
const zero = height / 2;

/** The course of the NPS: a point for each week with answers, and its margin as a bar. */
export function NpsByWeek({ weeks }: { weeks: InsightWeek[] }) {
  const { bots: t } = useTexts();
  const decimal = useDecimal();
  const named = useDay();
  const points = weeks.flatMap(({ date, n, nps, margin }, index) =>
    nps === null || margin === null ? [] : [{ date, n, nps, margin, x: (index + 0.5) * step, y: zero - nps }],
  );
  if (points.length < 2) return null;
  const said = ({ date, n, nps, margin }: Point): string =>
    `${named(date)}: ${decimal(nps)} ± ${decimal(margin)}, ${t.answers(n)}`;
  return (
    <figure className="mt-4">
      <figcaption className="text-xs text-quiet">
        {t.npsByWeek}: {t.npsByWeekAbout}
      </figcaption>
      <Course
        points={points}
        width={weeks.length * step}
        label={`${t.npsByWeek}. ${points.map(said).join('; ')}`}
        say={said}
      />
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-quiet">
        <span>{named(weeks[0]?.date ?? '')}</span>
        <span>{named(weeks.at(-1)?.date ?? '')}</span>
      </div>
      <TableTwin
        label={t.npsByWeek}
        head={[t.week, 'NPS', '±', t.figures.answered]}
        rows={points.map(({ date, n, nps, margin }) => [
          named(date),
          decimal(nps),
          decimal(margin),
          decimal(n),
        ])}
      />
    </figure>
  );
}

/** A line keeps its width where the chart is stretched. */
const thin = '[vector-effect:non-scaling-stroke]';

/** A week with answers, and its place in the chart. */
type Point = Pick<InsightWeek, 'date' | 'n'> & { nps: number; margin: number; x: number; y: number };

interface CourseProps {
  points: Point[];
  width: number;
  label: string;
  say(point: Point): string;
}

function Course({ points, width, label, say }: CourseProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="mt-1 h-28 w-full overflow-visible border-y border-line"
    >
      <line x2={width} y1={zero} y2={zero} className={`stroke-strong-line ${thin}`} />
      {points.map((point) => (
        <line
          key={point.date}
          x1={point.x}
          x2={point.x}
          y1={Math.max(0, point.y - point.margin)}
          y2={Math.min(height, point.y + point.margin)}
          strokeWidth={5}
          className={`stroke-strong-line ${thin}`}
        />
      ))}
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        strokeWidth={2}
        className={`fill-none stroke-accent ${thin}`}
      />
      {points.map((point) => (
        // A line without length is a dot that the width of the chart does not distort.
        <line
          key={point.date}
          x1={point.x}
          x2={point.x}
          y1={point.y}
          y2={point.y}
          strokeWidth={8}
          strokeLinecap="round"
          className={`stroke-accent ${thin}`}
        >
          <title>{say(point)}</title>
        </line>
      ))}
    </svg>
  );
}
