import { expect, test } from 'vitest';
import { browserZone } from '../../data/zone.ts';
import { parseSearch } from '../../search.ts';
import { webhookFilters } from './filters.ts';

test('the address of a webhook has states, events and days that exist', () => {
  const read = (query: string) => webhookFilters(parseSearch(query));
  const all =
    'state=failed&event=InteractionCompleted&interaction=i&since=2026-01-31&until=2026-02-01&delivery=d&tz=UTC';
  expect(read(`?${all}`)).toEqual(Object.fromEntries(new URLSearchParams(all)));
  expect(read('?until=2026-02-01').tz).toBe(browserZone());
  expect(read('?event=Test').event).toBe('Test');
  expect(read('?state=lost&event=Nothing&since=2026-02-30')).toEqual({
    state: undefined,
    event: undefined,
    since: undefined,
  });
});
