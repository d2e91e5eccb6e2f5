import { scopeNames } from '@parley/contracts/scopes';
import { expect, test } from 'vitest';
import { endOf, presetNames, presets } from './key-choices.ts';

test('a key is valid to the end of its last day in the time zone of the browser, or without an end', () => {
  expect(endOf('')).toBeNull();
  expect(endOf('2026-02-28')).toBe(new Date('2026-03-01T00:00:00').toISOString());
  expect(endOf('2026-12-31')).toBe(new Date('2027-01-01T00:00:00').toISOString());
});

test('a purpose has scopes that exist, each once, and a reader changes nothing', () => {
  for (const name of presetNames) {
    const scopes: readonly string[] = presets[name];
    expect(scopeNames).toEqual(expect.arrayContaining([...scopes]));
    expect(new Set(scopes).size).toBe(scopes.length);
  }
  expect(presets.reader.filter((scope) => scope.endsWith(':write'))).toEqual([]);
  expect(presets.own).toEqual([]);
});
