import { expect, test } from 'vitest';
import { localField } from './local-field.ts';

test('an instant is shown in the time zone of the browser, and read back as the same minute', () => {
  const at = '2026-12-01T08:05:00.000000';
  expect(new Date(localField(at)).toISOString()).toBe('2026-12-01T08:05:00.000Z');
  expect(localField(undefined)).toBe('');
});
