import { startOfDayIn } from '../../data/zone.ts';

/** The days of an export; empty: any. */
export interface ExportDays {
  changedFrom: string;
  completedFrom: string;
  completedTo: string;
}

/** Returns the periods of an export, whose days are in the time zone. The last day is in them. */
export function exportPeriods({ changedFrom, completedFrom, completedTo }: ExportDays, zone: string) {
  const at = (day: string, later = 0): string | undefined =>
    day === '' ? undefined : startOfDayIn(zone, day, later).toISOString();
  return {
    updatedFrom: at(changedFrom),
    completedFrom: at(completedFrom),
    completedTo: at(completedTo, 1),
  };
}

export async function jsonLines(interactions: AsyncIterable<object>): Promise<Blob> {
  const lines: string[] = [];
  for await (const interaction of interactions) lines.push(`${JSON.stringify(interaction)}\n`);
  return new Blob(lines, { type: 'application/x-ndjson' });
}
