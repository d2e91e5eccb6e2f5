import type { Insight } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';
import { useDuration, useNumbers } from '../../ui/time.tsx';

interface Figure {
  name: string;
  about: string;
  value: string;
  before: string | undefined;
}

/** The totals of the window, each with its definition, and those of the window before. */
export function Totals({ insight }: { insight: Insight }) {
  const { bots: t } = useTexts();
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
      {useFigures(insight).map(({ name, about, value, before }) => (
        <div key={name} className="card flex min-w-0 flex-col p-3">
          <dt className="font-medium">{name}</dt>
          <dd className="mt-1 text-2xl font-semibold tabular-nums">{value}</dd>
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

function useFigures({ totals, previous }: Insight): Figure[] {
  const { bots: t } = useTexts();
  const { count, share } = useNumbers();
  const duration = useDuration();
  const time = (seconds: number | null): string => (seconds === null ? '–' : duration(seconds));
  const counted = (name: 'created' | 'started' | 'completed'): Figure => ({
    name: t[name],
    about: t.about[name],
    value: count(totals[name]),
    before: previous && count(previous[name]),
  });
  return [
    counted('created'),
    counted('started'),
    counted('completed'),
    {
      name: t.startRate,
      about: t.about.startRate,
      value: share(totals.startRate),
      before: previous && share(previous.startRate),
    },
    {
      name: t.completionRate,
      about: t.about.completionRate,
      value: share(totals.completionRate),
      before: previous && share(previous.completionRate),
    },
    {
      name: t.medianTime,
      about: t.about.medianTime(totals.timeToComplete.n, time(totals.timeToComplete.p90Seconds)),
      value: time(totals.timeToComplete.medianSeconds),
      before: previous && time(previous.timeToComplete.medianSeconds),
    },
  ];
}
