import type { InsightDay } from '@parley/client';
import { dayColumns } from '@parley/report/insight';
import { useTexts } from '../../../texts/texts.tsx';
import { Columns } from '../../../ui/tables/columns.tsx';
import { Section } from '../../../ui/states.tsx';
import { useDay, useNumbers } from '../../../ui/time.tsx';

export function DayColumns({ days }: { days: InsightDay[] }) {
  const { bots: t } = useTexts();
  const { count } = useNumbers();
  const named = useDay();
  const names = { ...t.figures, date: t.day, nps: 'NPS' };
  const cellOf = ({ date, nps, ...counts }: InsightDay, column: (typeof dayColumns)[number]): string => {
    if (column === 'date') return named(date);
    if (column === 'nps') return nps === undefined || nps === null ? '–' : count(Math.round(nps));
    return count(counts[column]);
  };
  return (
    <Section title={t.days}>
      <Columns
        label={t.days}
        series={[
          { name: t.figures.completed, tone: 'good' },
          { name: t.startedOnly, tone: 'accent' },
          { name: t.createdOnly, tone: 'quiet' },
        ]}
        columns={days.map(({ date, created, started, completed }) => ({
          key: date,
          label: named(date),
          values: [completed, started - completed, created - started],
        }))}
        head={dayColumns.map((column) => names[column])}
        rows={days.map((day) => dayColumns.map((column) => cellOf(day, column)))}
      />
    </Section>
  );
}
