import { expect, test } from 'vitest';
import { exportPeriods, linesOf } from './export-query.ts';

test('an export has the days of the browser, with the last one, and none that is empty', () => {
  const at = (day: string): string => new Date(`${day}T00:00:00`).toISOString();
  const days = { changedFrom: '', completedFrom: '2026-02-27', completedTo: '2026-02-28' };
  expect(exportPeriods(days)).toEqual({
    updatedFrom: undefined,
    completedFrom: at('2026-02-27'),
    completedTo: at('2026-03-01'),
  });
});

test('NDJSON has a line for each interaction, also for texts with line breaks', async () => {
  async function* interactions() {
    yield { id: 'a', data: 'two\nlines' };
    yield { id: 'b' };
  }
  const text = await (await linesOf(interactions())).text();
  expect(text).toBe('{"id":"a","data":"two\\nlines"}\n{"id":"b"}\n');
});
