import { expect, test } from 'vitest';
import { browserZone } from '../../data/zone.ts';
import { parseSearch } from '../../search.ts';
import { filtersIn, interactionFilters, isFiltered, queryOf, hiddenIn, toggledColumn } from './filters.ts';

const read = (query: string) => interactionFilters(parseSearch(query));

test('an address has the filters that make sense', () => {
  expect(read('?status=Pending&priority=High&customer=c&bot=b&from=2026-01-31')).toEqual({
    status: 'Pending',
    priority: 'High',
    customer: 'c',
    bot: 'b',
    from: '2026-01-31',
    tz: browserZone(),
  });
  expect(read('?test=only')).toEqual({ test: 'only' });
  const nonsense = read('?status=pending&priority=9&test=true&from=yesterday&version=x&page=2');
  expect(Object.values(nonsense).filter(Boolean)).toEqual([]);
  expect(nonsense).not.toHaveProperty('page');
});

test('a step needs its bot, and a version its step', () => {
  expect(read('?bot=b&stopped=why&version=3')).toMatchObject({ bot: 'b', stopped: 'why', version: '3' });
  expect(read('?stopped=why&version=3')).toEqual({ stopped: undefined, version: undefined });
  expect(read('?bot=b&version=3')).toEqual({ bot: 'b', version: undefined });
});

test('a value of the evaluation has a key, and may have colons', () => {
  expect(read('?evaluation=score:9&evaluation=time:10:30').evaluation).toEqual(['score:9', 'time:10:30']);
  expect(read('?evaluation=:9&evaluation=score')).toEqual({ evaluation: undefined });
  expect(read('')).toEqual({});
});

test('days have a zone, and instants have none', () => {
  expect(read('?to=2026-01-31&tz=Asia/Tokyo').tz).toBe('Asia/Tokyo');
  expect(read('?from=2026-01-31T10:00:00Z&tz=Asia/Tokyo').tz).toBe(undefined);
});

test('the choice of columns and of a zone is no filter', () => {
  expect(isFiltered(read('?hide=status&show=started'))).toBe(false);
  expect(filtersIn(read('?bot=b&stopped=why&version=3&hide=status&tz=UTC'))).toEqual(['bot', 'stopped']);
});

test('the API gets the days of the zone of the address with the last one, and instants as they are', () => {
  const tz = 'Pacific/Auckland';
  const query = queryOf({ tz, from: '2026-01-31', to: '2026-02-28', bot: 'b', version: '3' });
  expect(query.createdFrom).toBe('2026-01-30T11:00:00.000Z');
  expect(query.createdTo).toBe('2026-02-28T11:00:00.000Z');
  expect([query.botId, query.botVersion, query.status]).toEqual(['b', 3, undefined]);
  expect([{}, { test: 'only' }, { test: 'none' }].map((one) => queryOf(one).isTest)).toEqual([
    undefined,
    true,
    false,
  ]);
  const at = '2026-01-31T10:00:00Z';
  expect(queryOf({ from: at, to: at })).toMatchObject({ createdFrom: at, createdTo: at });
});

const columns = [{ id: 'status' }, { id: 'started', isOptional: true }, { id: 'updated', isOptional: true }];

test('optional columns are hidden until they are chosen, others when they are', () => {
  expect(hiddenIn({}, columns)).toEqual(expect.arrayContaining(['started', 'updated']));
  expect(hiddenIn({}, columns)).not.toContain('status');
  const hidden = hiddenIn({ hide: 'status', show: 'started' }, columns);
  expect(hidden).toEqual(['status', 'updated']);
});

test('a choice changes its list of the address, and a second one takes it back', () => {
  const search = { show: 'started', status: 'Pending' };
  expect(toggledColumn(search, { id: 'updated', isOptional: true })).toEqual({ show: 'started,updated' });
  expect(toggledColumn(search, { id: 'started', isOptional: true })).toEqual({ show: '' });
  expect(toggledColumn({}, { id: 'status' })).toEqual({ hide: 'status' });
  expect(toggledColumn({ hide: 'status' }, { id: 'status' })).toEqual({ hide: '' });
});
