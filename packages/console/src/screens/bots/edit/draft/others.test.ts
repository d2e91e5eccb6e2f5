import { expect, test } from 'vitest';
import { isForgotten, othersHere } from './others.ts';

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000000`;
const since = (minute: number) => new Date(`2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`);
const own = { presenceId: 'here', personId: 'ada' };

test('others are named once, with when they came first, in that order', () => {
  const presences = [
    { id: 'late', personId: 'bob', openedAt: at(9) },
    { id: 'here', personId: 'ada', openedAt: at(1) },
    { id: 'first', personId: 'bob', openedAt: at(5) },
    { id: 'between', personId: 'eve', openedAt: at(7) },
  ];
  expect(othersHere(presences, own)).toEqual([
    { personId: 'bob', since: since(5) },
    { personId: 'eve', since: since(7) },
  ]);
  expect(othersHere([{ id: 'here', personId: 'ada', openedAt: at(1) }], own)).toEqual([]);
});

test('another tab of the person is named, behind all others', () => {
  const presences = [
    { id: 'here', personId: 'ada', openedAt: at(1) },
    { id: 'elsewhere', personId: 'ada', openedAt: at(2) },
    { id: 'other', personId: 'bob', openedAt: at(3) },
  ];
  expect(othersHere(presences, own)).toEqual([
    { personId: 'bob', since: since(3) },
    { personId: undefined, since: since(2) },
  ]);
});

test('a page is forgotten after four minutes in which it was hidden', () => {
  expect(isForgotten(undefined, 1_000_000)).toBe(false);
  expect(isForgotten(1_000, 241_000)).toBe(false);
  expect(isForgotten(1_000, 241_001)).toBe(true);
});
