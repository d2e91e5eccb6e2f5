import { expect, test } from 'vitest';
import { isDay, isDayOrInstant, isOneOf, isVersion, parseSearch, searchOf } from './search.ts';

test.each([
  ['2026-01-31', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-45', false],
  ['0000-00-00', false],
  ['9999-12-31', false],
  ['2026-1-1', false],
  ['2026-01-31T00:00:00Z', false],
])('%s is a day of the calendar: %s', (value, expected) => {
  expect(isDay(value)).toBe(expected);
});

test('an instant, a version and a choice are told from nonsense', () => {
  const day = '2026-01-31';
  expect([day, `${day}T10:00:00Z`, `${day}T99:00:00Z`, `${day}x`].map(isDayOrInstant)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(['1', '42', '0', '-1', '1.5', '1e3', 'NaN', ''].map(isVersion)).toEqual([
    true,
    true,
    ...Array.from({ length: 6 }, () => false),
  ]);
  expect(['a', 'constructor'].map(isOneOf('a', 'b'))).toEqual([true, false]);
});

test('senseless values take the place of what was given, and repeated ones are read once', () => {
  const read = searchOf({ from: isDay, version: isVersion });
  expect(read(parseSearch('?from=x&version=2&version=3&__proto__=1'))).toEqual({
    from: undefined,
    version: '2',
  });
  expect(Object.keys(read({}))).toEqual([]);
});
