import { expect, test } from 'vitest';
import { bytesText, durationText, shareText, timeFormat } from './units.ts';

test('a duration has the unit that suits it', () => {
  const durations = [0.25, 1, 89, 90, 5_399, 5_400, 129_599, 129_600];
  expect(durations.map((seconds) => durationText(seconds, 'en'))).toEqual([
    '250 ms',
    '1 sec',
    '89 sec',
    '1.5 min',
    '90 min',
    '1.5 hr',
    '36 hr',
    '1.5 days',
  ]);
  expect(durationText(5_400, 'de')).toBe('1,5 Std.');
});

test('a size is in KiB below a MiB, and a share in percent or missing', () => {
  expect([1_536, 1_048_575, 1_572_864].map((bytes) => bytesText(bytes, 'en'))).toEqual([
    '1.5 KiB',
    '1,024 KiB',
    '1.5 MiB',
  ]);
  expect([0.1234, 0, null].map((value) => shareText(value, 'en'))).toEqual(['12.3%', '0%', '–']);
});

test('the format of a language and style is created once', () => {
  expect(timeFormat('en', { timeStyle: 'short' })).toBe(timeFormat('en', { timeStyle: 'short' }));
  expect(timeFormat('en', { timeStyle: 'short' })).not.toBe(timeFormat('de', { timeStyle: 'short' }));
});
