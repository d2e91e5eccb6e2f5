import type { Insight, InsightTimes } from '@parley/client';
import { type Share, totalRows } from '@parley/report/insight';
import { useTexts } from '../../../texts/texts.tsx';
import { useDuration, useNumbers } from '../../../ui/time.tsx';

interface Figure {
  name: string;
  about: string;
  value: string;
  /** Its share of another figure. */
  share?: string | undefined;
  before: string | undefined;
}

/** The totals of the window, each with its definition, and the totals of the window before. */
export function Totals({ insight }: { insight: Insight }) {
  const { bots: t } = useTexts();
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {useFigures(insight).map(({ name, about, value, share, before }) => (
        <div key={name} className="card flex min-w-0 flex-col p-3">
          <dt className="font-medium">{name}</dt>
          <dd className="mt-1 text-2xl font-semibold tabular-nums">{value}</dd>
          {share !== undefined && <dd className="text-xs tabular-nums">{share}</dd>}
          {before !== undefined && (
            <dd className="text-xs text-quiet tabular-nums">
              {t.before} {before}
            </dd>
          )}
          <dd className="mt-1 text-xs text-quiet">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

function useFigures(insight: Insight): Figure[] {
  const { bots: t } = useTexts();
  const { count, share } = useNumbers();
  const duration = useDuration();
  const time = (seconds: number | null): string => (seconds === null ? '–' : duration(seconds));
  const { counts, times } = totalRows(insight);
  return [
    ...counts.map(({ name, of, window, previous }) => {
      const shown = ({ share: part }: Share): string | undefined =>
        of && part !== null ? t.ofWhole[of](share(part)) : undefined;
      return {
        name: t.figures[name],
        about: t.about[name],
        value: count(window.count),
        share: shown(window),
        before: previous && [count(previous.count), shown(previous) ?? []].flat().join(', '),
      };
    }),
    ...times.map(({ name, window, previous }) => {
      const about = ({ n, p90Seconds }: InsightTimes): string => t.about[name](n, time(p90Seconds));
      return {
        name: t.figures[name],
        about: about(window),
        value: time(window.medianSeconds),
        before: previous && time(previous.medianSeconds),
      };
    }),
  ];
}
