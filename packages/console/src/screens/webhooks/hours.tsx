import type { WebhookStats } from '@parley/client';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Columns } from '../../ui/tables/columns.tsx';
import { everyHour } from './every-hour.ts';
import { Time, useDuration, useNumbers } from '../../ui/time.tsx';

/** The attempts of the last hours, as columns and as a table. */
export function HourBars({ hours }: { hours: WebhookStats['hours'] }) {
  const { webhooks: t } = useTexts();
  const { count } = useNumbers();
  const duration = useDuration();
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  if (hours.length === 0) return <p className="p-4 text-quiet">{t.noHours}</p>;
  const all = everyHour(hours, new Date());
  return (
    <Columns
      label={t.hours}
      series={[
        { name: t.succeeded, tone: 'good' },
        { name: t.failed, tone: 'bad' },
      ]}
      columns={all.map(({ hour, attempts, failures }) => ({
        key: hour.toISOString(),
        label: format.format(hour),
        values: [attempts - failures, failures],
      }))}
      head={[t.hour, t.attempts, t.failed, t.meanTime, t.longestTime]}
      rows={all.map(({ hour, attempts, failures, meanMs, maxMs }) => [
        <Time key={hour.toISOString()} at={hour} />,
        count(attempts),
        count(failures),
        attempts === 0 ? '–' : duration(meanMs / 1000),
        attempts === 0 ? '–' : duration(maxMs / 1000),
      ])}
    />
  );
}
