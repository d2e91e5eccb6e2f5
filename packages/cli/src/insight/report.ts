import type { Insight, InsightNps, InsightStep, InsightTimes, InsightTotals } from '@parley/client';
import { counted } from '../counted.ts';
import { decimal, duration, localTime, percent } from './units.ts';

/** The margin of fewer answers is a rough one: a normal distribution is far from theirs. */
const answersForMargin = 30;

const barMin = 10;

/** Returns the figures as text of at most `width` columns, unless names are longer. */
export function insightReport(insight: Insight, timeZone: string, width: number): string {
  const { bot, from, to, asOf, steps } = insight;
  const at = (instant: string): string => localTime(instant, timeZone);
  const parts = [
    `${bot.name} (${bot.key})\n${at(from)} to ${at(to)}, as of ${at(asOf)} (${timeZone})`,
    ...totalLines(insight, at),
    ...(steps.length > 0 ? [stepLines(steps, width)] : []),
    ...Object.entries(insight.evaluation).map(([key, figures]) => evaluationLines(key, figures, width)),
  ];
  return parts.join('\n\n');
}

function totalLines({ totals, previous }: Insight, at: (instant: string) => string): string[] {
  const columns = [totals, ...(previous ? [previous] : [])];
  const row = (name: string, cellOf: (one: InsightTotals) => string): string[] => [
    name,
    ...columns.map(cellOf),
  ];
  const shareOfStarted = (name: 'completed' | 'expired' | 'stalled' | 'active'): string[] =>
    row(name, (one) => share(one[name], one.started, ' of started'));
  const counts = [
    ...(previous ? [['', 'this window', `since ${at(previous.from)}`]] : []),
    row('created', (one) => String(one.created)),
    row('started', (one) => share(one.started, one.created, ' of created')),
    shareOfStarted('completed'),
    shareOfStarted('expired'),
    shareOfStarted('stalled'),
    shareOfStarted('active'),
  ];
  const times = [
    row('time to complete', (one) => timesText(one.timeToComplete)),
    row('active time', (one) => timesText(one.activeSeconds)),
  ];
  return [aligned([...counts, ...times])];
}

function timesText({ n, medianSeconds, p90Seconds }: InsightTimes): string {
  return n === 0 ? '-' : `median ${duration(medianSeconds)}, 90 % within ${duration(p90Seconds)}`;
}

function stepLines(steps: InsightStep[], width: number): string {
  const heading = ['STEP', 'SEEN', 'ANSWERED', 'SKIPPED', 'DROPPED', ''];
  const rows = steps.map(({ stepId, seen, answered, skipped, dropped, dropRate }) => [
    stepId,
    String(seen),
    share(answered, seen),
    share(skipped, seen),
    `${dropped}  ${percent(dropRate)}`,
  ]);
  return withBars([heading, ...rows], [0, ...steps.map(({ seen }) => seen)], width);
}

function evaluationLines(key: string, figures: Insight['evaluation'][string], width: number): string {
  const answers = counted(figures.n, 'answer');
  if ('score' in figures) return npsLines(key, figures);
  if ('mean' in figures) {
    const { mean, median } = figures;
    return `${key}: mean ${decimal(mean, 2)}, median ${decimal(median, 2)} (${answers})`;
  }
  if ('counts' in figures) {
    const counts = Object.entries(figures.counts);
    const rows = counts.map(([value, count]) => [`  ${value}`, share(count, figures.n)]);
    const bars = withBars(
      rows,
      counts.map(([, count]) => count),
      width,
    );
    return [`${key} (${answers})`, ...(bars ? [bars] : [])].join('\n');
  }
  return `${key}: ${answers}`;
}

function npsLines(key: string, { n, score, margin, promoters, passives, detractors }: InsightNps): string {
  if (n === 0) return `${key}: no answers`;
  const isRough = n < answersForMargin;
  const note = isRough ? `; the margin is rough with fewer than ${answersForMargin}` : '';
  return [
    `${key}: NPS ${decimal(score, 1)} ± ${decimal(margin, 1)} (${counted(n, 'answer')}${note})`,
    aligned([
      ['  promoters', share(promoters, n)],
      ['  passives', share(passives, n)],
      ['  detractors', share(detractors, n)],
    ]),
  ].join('\n');
}

function share(part: number, whole: number, of = ''): string {
  return whole === 0 ? String(part) : `${part}  ${percent(part, whole)}${of}`;
}

/** Adds a bar to each row, which fills the width for the largest count. */
function withBars(rows: string[][], counts: number[], width: number): string {
  const lines = aligned(rows).split('\n');
  if (rows.length === 0) return '';
  const used = Math.max(...lines.map((line) => line.length)) + 2;
  const largest = Math.max(...counts, 1);
  const barOf = (count: number): string => {
    const length = Math.round((count / largest) * Math.max(width - used, barMin));
    return '#'.repeat(count > 0 ? Math.max(length, 1) : 0);
  };
  return lines.map((line, index) => `${line.padEnd(used)}${barOf(counts[index] ?? 0)}`.trimEnd()).join('\n');
}

function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
