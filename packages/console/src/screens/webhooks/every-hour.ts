import { instant, type WebhookStats } from '@parley/client';

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
