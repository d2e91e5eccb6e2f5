import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTabStorage } from './tab-storage.ts';

const dayMs = 24 * 60 * 60 * 1_000;
let stored: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the open and snoozed interactions survive a page of the tab', () => {
  const kept = openTabStorage('w');
  kept.setOpened('i');
  kept.snooze('j');
  const next = openTabStorage('w');
  expect([next.opened(), next.isSnoozed('i'), next.isSnoozed('j')]).toEqual(['i', false, true]);
  expect(openTabStorage('another').opened()).toBeUndefined();
  next.setOpened(undefined);
  expect(openTabStorage('w').opened()).toBeUndefined();
});

test('an interaction is snoozed for a day', () => {
  const kept = openTabStorage('w');
  kept.snooze('j');
  vi.advanceTimersByTime(dayMs - 1);
  expect(kept.isSnoozed('j')).toBe(true);
  vi.advanceTimersByTime(1);
  expect(kept.isSnoozed('j')).toBe(false);
  kept.snooze('k');
  expect(stored.get('parley:w')).not.toContain('"j"');
});

test('data of other interactions are removed', () => {
  const kept = openTabStorage('w');
  kept.setOpened('i');
  kept.snooze('j');
  kept.snooze('i');
  kept.retain('i');
  expect([kept.opened(), kept.isSnoozed('i'), kept.isSnoozed('j')]).toEqual(['i', true, false]);
  kept.retain('k');
  expect([kept.opened(), kept.isSnoozed('i')]).toEqual([undefined, false]);
  expect(stored.get('parley:w')).not.toMatch(/"[ij]"/);
});

test('forgetting removes all data', () => {
  const kept = openTabStorage('w');
  kept.setOpened('i');
  kept.snooze('i');
  kept.forget();
  expect(stored.size).toBe(0);
  expect([kept.opened(), kept.isSnoozed('i')]).toEqual([undefined, false]);
});

test.each(['null', '7', '{', '{"open":7,"snooze":null}', '[]'])('foreign data are ignored: %s', (value) => {
  stored.set('parley:w', value);
  const kept = openTabStorage('w');
  expect(kept.isSnoozed('i')).toBe(false);
  kept.snooze('i');
  expect(openTabStorage('w').isSnoozed('i')).toBe(true);
});

test('without storage in the browser, data last as long as the page', () => {
  vi.stubGlobal('sessionStorage', undefined);
  const kept = openTabStorage('w');
  kept.setOpened('i');
  kept.snooze('i');
  expect([kept.opened(), kept.isSnoozed('i')]).toEqual(['i', true]);
  kept.forget();
  expect(kept.opened()).toBeUndefined();
});
