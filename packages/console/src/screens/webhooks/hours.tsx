import { instant, type WebhookStats } from '@parley/client';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Columns } from '../../ui/tables/columns.tsx';
import { Time, useDuration, useNumbers } from '../../ui/time.tsx';

type Hour = Omit<WebhookStats['hours'][number], 'hour'> & { hour: Date };

const hourMs = 3_600_000;
const shownHours = 24;

/** Returns the last 24 hours until `now`, and earlier ones with attempts. Hours without attempts have zeros. */
export function everyHour(hours: WebhookStats['hours'], now: Date): Hour[] {
  const known = new Map(hours.map((of) => [instant(of.hour).getTime(), of]));
  const last = Math.floor(now.getTime() / hourMs) * hourMs;
  const first = Math.min(last - (shownHours - 1) * hourMs, ...known.keys());
  const count = (Math.max(last, ...known.keys()) - first) / hourMs + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * hourMs;
    const found = known.get(at) ?? { attempts: 0, failures: 0, meanMs: 0, maxMs: 0 };
    return { ...found, hour: new Date(at) };
  });
}

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
