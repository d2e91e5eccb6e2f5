import { expect, test } from 'vitest';
import { exportPeriods, jsonLines } from './export-query.ts';

test('an export has the days of the zone of the address, with the last one, and none that is empty', () => {
  const days = { changedFrom: '', completedFrom: '2026-02-27', completedTo: '2026-02-28' };
  expect(exportPeriods(days, 'Pacific/Auckland')).toEqual({
    updatedFrom: undefined,
    completedFrom: '2026-02-26T11:00:00.000Z',
    completedTo: '2026-02-28T11:00:00.000Z',
  });
});

test('NDJSON has a line for each interaction, also for texts with line breaks', async () => {
  async function* interactions() {
    yield { id: 'a', data: 'two\nlines' };
    yield { id: 'b' };
  }
  const text = await (await jsonLines(interactions())).text();
  expect(text).toBe('{"id":"a","data":"two\\nlines"}\n{"id":"b"}\n');
});
