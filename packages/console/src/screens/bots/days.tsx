import type { InsightDay } from '@parley/client';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Section } from '../../ui/states.tsx';
import { useNumbers } from '../../ui/time.tsx';

/** The figures of each day of the window. */
export function DayColumns({ days }: { days: InsightDay[] }) {
  const { bots: t } = useTexts();
  const { language } = useLanguage();
  const { count } = useNumbers();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const named = (date: string): string => format.format(new Date(`${date}T00:00:00Z`));
  return (
    <Section title={t.days}>
      <Columns
        label={t.days}
        series={[
          { name: t.completed, tone: 'good' },
          { name: t.startedOnly, tone: 'accent' },
          { name: t.createdOnly, tone: 'quiet' },
        ]}
        columns={days.map(({ date, created, started, completed }) => ({
          key: date,
          label: named(date),
          values: [completed, started - completed, created - started],
        }))}
        head={[t.day, t.created, t.started, t.completed, 'NPS']}
        rows={days.map(({ date, created, started, completed, nps }) => [
          named(date),
          count(created),
          count(started),
          count(completed),
          nps === undefined || nps === null ? '–' : count(Math.round(nps)),
        ])}
      />
    </Section>
  );
}
