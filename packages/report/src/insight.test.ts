import type { Insight, InsightStep, InsightTotals } from '@parley/client';
import { expect, test } from 'vitest';
import { keyReport, stepRows, totalRows, wayRows } from './insight.ts';

const none = { n: 0, medianSeconds: null, p90Seconds: null };
const totals: InsightTotals = {
  created: 10,
  started: 8,
  completed: 4,
  expired: 2,
  stalled: 1,
  active: 1,
  startRate: 0.8,
  completionRate: 0.5,
  timeToComplete: { n: 4, medianSeconds: 60, p90Seconds: 90 },
  activeSeconds: none,
};
const at = '2026-11-21T09:30:00.000000';
const insight: Insight = {
  bot: { id: '1', key: 'feedback', name: 'Feedback' },
  from: at,
  to: at,
  asOf: at,
  totals,
  steps: [],
  evaluation: {},
  days: [],
};

test('each total has its share, in the order of the flow', () => {
  const { counts, times } = totalRows(insight);
  expect(counts.map(({ name, of, window }) => [name, of, window.count, window.share])).toEqual([
    ['created', undefined, 10, 1],
    ['started', 'created', 8, 0.8],
    ['completed', 'started', 4, 0.5],
    ['expired', 'started', 2, 0.25],
    ['stalled', 'started', 1, 0.125],
    ['active', 'started', 1, 0.125],
  ]);
  expect(times).toEqual([
    { name: 'timeToComplete', window: totals.timeToComplete },
    { name: 'activeSeconds', window: none },
  ]);
});

test('a comparison has the window before, whose shares are of its own counts', () => {
  const before = { ...totals, created: 5, started: 0, unknown: 1, from: at, to: at };
  const { counts } = totalRows({ ...insight, previous: before });
  expect(counts.map(({ name, previous }) => [name, previous?.share])).toEqual([
    ['created', 1],
    ['started', 0],
    ['completed', null],
    ['expired', null],
    ['stalled', null],
    ['active', null],
    ['unknown', 0.2],
  ]);
});

test('steps have their shares of those who have seen them, and the first of the worst is marked', () => {
  const step = (stepId: string, seen: number, dropped: number): InsightStep => ({
    stepId,
    kind: 'ask',
    text: 'What?',
    since: at,
    seen,
    answered: 1,
    skipped: 0,
    dropped,
    dropRate: seen === 0 ? null : dropped / seen,
  });
  const { rows, most } = stepRows([step('a', 4, 1), step('b', 3, 2), step('c', 2, 2), step('d', 0, 0)]);
  expect(most).toBe(4);
  expect(rows.map(({ isWorst, answered, dropped }) => [isWorst, answered.share, dropped.share])).toEqual([
    [false, 1 / 4, 1 / 4],
    [true, 1 / 3, 2 / 3],
    [false, 1 / 2, 1],
    [false, null, null],
  ]);
  expect(stepRows([])).toEqual({ rows: [], most: 1 });
  expect(stepRows([step('a', 4, 0)]).rows[0]?.isWorst).toBe(false);
});

test('the share of a way is that of all ways out of its step', () => {
  const way = (from: string, to: string, n: number) => ({ from, to, n });
  const rows = wayRows([way('a', 'b', 3), way('a', 'c', 1), way('b', 'c', 3)]);
  expect(rows.map(({ way: { to }, taken, isOnly }) => [to, taken.count, taken.share, isOnly])).toEqual([
    ['b', 3, 0.75, false],
    ['c', 1, 0.25, false],
    ['c', 3, 1, true],
  ]);
  expect(wayRows()).toEqual([]);
});

test.each([
  [50, 64, 30, { low: -14, high: 100 }, false],
  [-90, 20, 29, { low: -100, high: -70 }, true],
  [null, null, 0, null, true],
])('an NPS of %s ± %s of %i answers has its range', (score, margin, n, range, isRough) => {
  const figures = { n, score, margin, promoters: 3, passives: 0, detractors: 1, distribution: {} };
  const report = keyReport(figures);
  expect(report).toMatchObject({ kind: 'score', isRough });
  expect(report).toHaveProperty('range', range);
  expect(report).toHaveProperty('groups.0', { name: 'promoters', count: 3, share: n === 0 ? null : 3 / n });
});

test('choices come by their number, those of the same number in the order of the API', () => {
  const report = keyReport({ n: 4, counts: { price: 1, other: 0, delivery: 3, size: 1 } });
  expect(report).toMatchObject({
    kind: 'counts',
    groups: [
      { name: 'delivery', count: 3, share: 0.75 },
      { name: 'price', count: 1, share: 0.25 },
      { name: 'size', count: 1, share: 0.25 },
      { name: 'other', count: 0, share: 0 },
    ],
  });
});

test('a ranking begins with the best mean rank, and ends with what nobody has placed', () => {
  const items = [
    { value: 'price', meanRank: 2.5, first: 0 },
    { value: 'size', meanRank: null, first: 0 },
    { value: 'taste', meanRank: 1.25, first: 3 },
  ];
  expect(keyReport({ n: 4, items })).toMatchObject({
    kind: 'ranks',
    items: [
      { name: 'taste', meanRank: 1.25, count: 3, share: 0.75 },
      { name: 'price', meanRank: 2.5, count: 0, share: 0 },
      { name: 'size', meanRank: null, count: 0, share: 0 },
    ],
  });
});

test('the shares of a row are those of its answers', () => {
  const rows = [
    { value: 'speed', counts: { good: 3, bad: 1 } },
    { value: 'price', counts: { good: 0, bad: 0 } },
  ];
  expect(keyReport({ n: 4, rows })).toMatchObject({
    kind: 'rows',
    rows: [
      { name: 'speed', groups: [{ name: 'good', count: 3, share: 0.75 }, { share: 0.25 }] },
      { name: 'price', groups: [{ count: 0, share: null }, { share: null }] },
    ],
  });
});

test('numbers and texts are told apart', () => {
  expect(keyReport({ n: 1, mean: 4, median: 4, distribution: {} }).kind).toBe('numbers');
  expect(keyReport({ n: 2 }).kind).toBe('answers');
});
