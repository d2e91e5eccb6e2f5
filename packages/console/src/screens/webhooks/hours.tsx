import { instant, type WebhookStats } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Time, useDuration, useNumbers } from '../../ui/time.tsx';

/** The attempts of the last hours, as columns and as a table. */
export function HourBars({ hours }: { hours: WebhookStats['hours'] }) {
  const { webhooks: t } = useTexts();
  const { count } = useNumbers();
  const duration = useDuration();
  if (hours.length === 0) return <p className="p-4 text-quiet">{t.noHours}</p>;
  return (
    <Columns
      label={t.hours}
      series={[
        { name: t.succeeded, tone: 'good' },
        { name: t.failed, tone: 'bad' },
      ]}
      columns={hours.map(({ hour, attempts, failures }) => ({
        key: hour,
        label: String(instant(hour).getHours()).padStart(2, '0'),
        values: [attempts - failures, failures],
      }))}
      head={[t.hour, t.attempts, t.failed, t.meanTime, t.longestTime]}
      rows={hours.map(({ hour, attempts, failures, meanMs, maxMs }) => [
        <Time key={hour} at={hour} />,
        count(attempts),
        count(failures),
        duration(meanMs / 1000),
        duration(maxMs / 1000),
      ])}
    />
  );
}
