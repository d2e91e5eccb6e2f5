import type { Insight, InsightNps, InsightStep, InsightTimes, InsightTotals } from '@parley/client';
import { counted } from '../counted.ts';
import { columns } from '../output.ts';
import { decimal, duration, localTime, percent } from './units.ts';

/** With fewer answers, the margin is rough: it assumes a normal distribution. */
const answersForMargin = 30;

/** The limits of the longest bar. */
const bar = { min: 10, max: 50 };

/** Returns the figures as text. Bars end at `width` columns. */
export function insightReport(insight: Insight, timeZone: string, width: number): string {
  const { bot, from, to, asOf, steps } = insight;
  const at = (instant: string): string => localTime(instant, timeZone);
  const parts = [
    `${bot.name} (${bot.key})\n${at(from)} to ${at(to)}, as of ${at(asOf)} (${timeZone})`,
    totalLines(insight, at),
    ...(steps.length > 0 ? [stepLines(steps, width)] : []),
    ...Object.entries(insight.evaluation).map(([key, figures]) => evaluationLines(key, figures, width)),
  ];
  return parts.join('\n\n');
}

function totalLines({ totals, previous }: Insight, at: (instant: string) => string): string {
  const windows = [totals, ...(previous ? [previous] : [])];
  const digits = digitsOf(windows.map(({ created }) => created));
  const row = (name: string, cellOf: (one: InsightTotals) => string): string[] => [
    name,
    ...windows.map(cellOf),
  ];
  const stateRow = (name: 'completed' | 'expired' | 'stalled' | 'active'): string[] =>
    row(name, (one) => shareOf(one[name], one.started, digits, ' of started'));
  return columns([
    ...(previous ? [['', 'this window', `from ${at(previous.from)}`]] : []),
    row('created', ({ created }) => String(created).padStart(digits)),
    row('started', ({ started, created }) => shareOf(started, created, digits, ' of created')),
    ...(['completed', 'expired', 'stalled', 'active'] as const).map(stateRow),
    ...(windows.some(({ unknown = 0 }) => unknown > 0)
      ? [
          row('cannot be read', ({ unknown = 0, created }) =>
            shareOf(unknown, created, digits, ' of created'),
          ),
        ]
      : []),
    row('time to complete', ({ timeToComplete }) => timesText(timeToComplete)),
    row('active time', ({ activeSeconds }) => timesText(activeSeconds)),
  ]);
}

function timesText({ n, medianSeconds, p90Seconds }: InsightTimes): string {
  return n === 0 ? '-' : `median ${duration(medianSeconds)}, 90 % within ${duration(p90Seconds)}`;
}

function stepLines(steps: InsightStep[], width: number): string {
  const digits = digitsOf(steps.map(({ seen }) => seen));
  const rows = steps.map(({ stepId, seen, answered, skipped, dropped }) => [
    stepId,
    String(seen).padStart(digits),
    ...[answered, skipped, dropped].map((one) => shareOf(one, seen, digits)),
  ]);
  const heading = ['STEP', 'SEEN', 'ANSWERED', 'SKIPPED', 'DROPPED'];
  return withBars([heading, ...rows], [0, ...steps.map(({ seen }) => seen)], width);
}

function evaluationLines(key: string, figures: Insight['evaluation'][string], width: number): string {
  const answers = counted(figures.n, 'answer');
  if ('counts' in figures) {
    const entries = Object.entries(figures.counts);
    const counts = entries.map(([, count]) => count);
    const digits = digitsOf(counts);
    const rows = entries.map(([value, count]) => [`  ${value}`, shareOf(count, figures.n, digits)]);
    return [`${key}: ${answers}`, ...(rows.length > 0 ? [withBars(rows, counts, width)] : [])].join('\n');
  }
  if (figures.n === 0) return `${key}: no answers`;
  if ('score' in figures) return npsLines(key, figures);
  if ('mean' in figures) {
    const { mean, median } = figures;
    return `${key}: mean ${decimal(mean, 2)}, median ${decimal(median, 2)} (${answers})`;
  }
  return `${key}: ${answers}`;
}

function npsLines(key: string, figures: InsightNps): string {
  const { n, score, margin, promoters, passives, detractors } = figures;
  const note = n < answersForMargin ? `; the margin is rough with fewer than ${answersForMargin}` : '';
  const digits = digitsOf([promoters, passives, detractors]);
  return [
    `${key}: NPS ${decimal(score, 1)} ± ${decimal(margin, 1)} (${counted(n, 'answer')}${note})`,
    columns([
      ['  promoters', shareOf(promoters, n, digits)],
      ['  passives', shareOf(passives, n, digits)],
      ['  detractors', shareOf(detractors, n, digits)],
    ]),
  ].join('\n');
}

function digitsOf(counts: readonly number[]): number {
  return Math.max(...counts.map((one) => String(one).length));
}

/** Returns a count of so many digits and its share, such as ` 8   80.0 %`. */
function shareOf(part: number, whole: number, digits: number, of = ''): string {
  const count = String(part).padStart(digits);
  return whole === 0 ? count : `${count}  ${percent(part, whole).padStart('100.0 %'.length)}${of}`;
}

/** Adds a bar to each row. The bar of the largest count ends at the width. */
function withBars(rows: string[][], counts: number[], width: number): string {
  const lines = columns(rows).split('\n');
  const used = Math.max(...lines.map((line) => line.length)) + 2;
  const largest = Math.max(...counts, 1);
  const longest = Math.min(Math.max(width - used, bar.min), bar.max);
  const barOf = (count: number): string => {
    const length = Math.round((count / largest) * longest);
    return '█'.repeat(count > 0 ? Math.max(length, 1) : 0);
  };
  return lines.map((line, index) => `${line.padEnd(used)}${barOf(counts[index] ?? 0)}`.trimEnd()).join('\n');
}
