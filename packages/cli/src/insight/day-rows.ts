import type { InsightDay } from '@parley/client';

/** Returns the days as CSV with a header row. `nps` is empty without an answer, and without an nps key. */
export function dayRows(days: readonly InsightDay[]): string {
  const rows = days.map(({ date, created, started, completed, nps }) =>
    [date, created, started, completed, nps ?? ''].join(','),
  );
  return ['date,created,started,completed,nps', ...rows].map((row) => `${row}\n`).join('');
}
