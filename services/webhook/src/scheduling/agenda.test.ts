import { expect, test } from 'vitest';
import { Agenda } from './agenda.ts';

test('each ten milliseconds of a webhook are taken once, when they are over', () => {
  const agenda = new Agenda();
  agenda.add('w-1', 300, 0);
  agenda.add('w-1', 100, 0);
  agenda.add('w-1', 91, 0);
  agenda.add('w-2', 150, 0);
  expect(agenda.nextAtMs()).toBe(100);
  expect(agenda.take(99)).toEqual([]);
  expect(agenda.take(100)).toEqual(['w-1']);
  expect(agenda.nextAtMs()).toBe(150);
  expect(agenda.take(300)).toEqual(['w-1', 'w-2']);
  expect(agenda.take(1_000)).toEqual([]);
  expect(agenda.nextAtMs()).toBe(Number.POSITIVE_INFINITY);
});

test('an instant that is over a minute away is left to scans', () => {
  const agenda = new Agenda();
  agenda.add('w-1', 60_001, 0);
  expect(agenda.nextAtMs()).toBe(Number.POSITIVE_INFINITY);
  agenda.add('w-1', 60_000, 0);
  expect(agenda.nextAtMs()).toBe(60_000);
});
