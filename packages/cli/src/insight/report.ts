import type { Insight, InsightTimes } from '@parley/client';
import {
  answersForMargin,
  figureNames,
  type Group,
  keyReport,
  type KeyReport,
  type Share,
  stepRows,
  totalRows,
  wayRows,
} from '@parley/report/insight';
import { counted } from '../counted.ts';
import { columns } from '../output.ts';
import { decimal, duration, localTime, percent } from './units.ts';

/** In characters. */
const bar = { min: 10, max: 50 };

/** Returns the figures as text. Bars end at `width` columns. */
export function insightReport(insight: Insight, timeZone: string, width: number): string {
  const { bot, from, to, asOf, steps, evaluation } = insight;
  const at = (instant: string): string => localTime(instant, timeZone);
  const parts = [
    `${bot.name} (${bot.key})\n${at(from)} to ${at(to)}, as of ${at(asOf)} (${timeZone})`,
    totalLines(insight, at),
    ...(steps.length > 0 ? [stepLines(steps, width)] : []),
    ...wayLines(insight, width),
    ...Object.entries(evaluation).map(([key, figures]) => evaluationLines(key, keyReport(figures), width)),
    ...weekLines(insight),
  ];
  return parts.join('\n\n');
}

function totalLines(insight: Insight, at: (instant: string) => string): string {
  const { previous } = insight;
  const { counts, times } = totalRows(insight);
  const digits = digitsOf([insight.totals, ...(previous ? [previous] : [])].map(({ created }) => created));
  const lineOf = <Value>(
    { name, window, previous: before }: { name: keyof typeof figureNames; window: Value; previous?: Value },
    cellOf: (value: Value) => string,
  ): string[] => [figureNames[name].toLowerCase(), cellOf(window), ...(before ? [cellOf(before)] : [])];
  return columns([
    ...(previous ? [['', 'this window', `from ${at(previous.from)}`]] : []),
    ...counts.map((row) =>
      lineOf(row, (value) =>
        row.of === undefined
          ? String(value.count).padStart(digits)
          : shareText(value, digits, ` of ${figureNames[row.of].toLowerCase()}`),
      ),
    ),
    ...times.map((row) => lineOf(row, timesText)),
  ]);
}

function timesText({ n, medianSeconds, p90Seconds }: InsightTimes): string {
  return n === 0 ? '-' : `median ${duration(medianSeconds)}, 90 % within ${duration(p90Seconds)}`;
}

function stepLines(steps: Insight['steps'], width: number): string {
  const digits = digitsOf(steps.map(({ seen }) => seen));
  const rows = stepRows(steps).rows.map(({ step: { stepId, seen }, answered, skipped, dropped }) => [
    stepId,
    String(seen).padStart(digits),
    ...[answered, skipped, dropped].map((one) => shareText(one, digits)),
  ]);
  const names = ['step', 'seen', 'answered', 'skipped', 'dropped'] as const;
  const heading = names.map((name) => figureNames[name].toUpperCase());
  return withBars([heading, ...rows], [0, ...steps.map(({ seen }) => seen)], width);
}

/** Returns the ways out of the steps from which several were taken. */
function wayLines({ ways }: Insight, width: number): string[] {
  const shown = wayRows(ways).filter(({ isOnly }) => !isOnly);
  if (shown.length === 0) return [];
  const counts = shown.map(({ taken }) => taken.count);
  const rows = shown.map(({ way, taken }) => [`${way.from} → ${way.to}`, shareText(taken, digitsOf(counts))]);
  return [withBars([['WAY', 'TAKEN'], ...rows], [0, ...counts], width)];
}

function evaluationLines(key: string, report: KeyReport, width: number): string {
  const { n } = report.figures;
  const answers = counted(n, 'answer');
  if (report.kind === 'counts') {
    const rows = groupRows(report.groups);
    const counts = report.groups.map(({ count }) => count);
    return [`${key}: ${answers}`, ...(rows.length > 0 ? [withBars(rows, counts, width)] : [])].join('\n');
  }
  if (n === 0) return `${key}: no answers`;
  if (report.kind === 'ranks') {
    const digits = digitsOf(report.items.map(({ count }) => count));
    const rows = report.items.map((item) => [
      `  ${item.name}`,
      `mean rank ${decimal(item.meanRank, 2)}`,
      `first ${shareText(item, digits)}`,
    ]);
    return `${key}: ${answers}\n${columns(rows)}`;
  }
  if (report.kind === 'rows') {
    const lines = report.rows.flatMap(({ name, groups }) => {
      const counts = groups.map(({ count }) => count);
      return [`  ${name}`, ...(groups.length > 0 ? [withBars(groupRows(groups), counts, width)] : [])];
    });
    return [`${key}: ${answers}`, ...lines].join('\n');
  }
  if (report.kind === 'score') {
    const { score, margin } = report.figures;
    const note = report.isRough ? `; the margin is rough with fewer than ${answersForMargin}` : '';
    const groups = report.groups.map((group) => ({ ...group, name: figureNames[group.name].toLowerCase() }));
    return [
      `${key}: NPS ${decimal(score, 1)} ± ${decimal(margin, 1)} (${answers}${note})`,
      columns(groupRows(groups)),
    ].join('\n');
  }
  if (report.kind === 'numbers') {
    const { mean, median } = report.figures;
    return `${key}: mean ${decimal(mean, 2)}, median ${decimal(median, 2)} (${answers})`;
  }
  return `${key}: ${answers}`;
}

/** Returns the NPS of each week with answers, if there are several. */
function weekLines({ weeks = [] }: Insight): string[] {
  const answered = weeks.filter(({ n }) => n > 0);
  if (answered.length < 2) return [];
  const rows = answered.map(({ date, n, nps, margin }) => [
    `  ${date}`,
    `${decimal(nps, 1)} ± ${decimal(margin, 1)}`,
    counted(n, 'answer'),
  ]);
  return [`NPS by week, from Monday on\n${columns(rows)}`];
}

function groupRows(groups: readonly Group[]): string[][] {
  const digits = digitsOf(groups.map(({ count }) => count));
  return groups.map((group) => [`  ${group.name}`, shareText(group, digits)]);
}

function digitsOf(counts: readonly number[]): number {
  return Math.max(...counts.map((one) => String(one).length));
}

/** Returns a count of so many digits and its share, such as ` 8   80.0 %`. */
function shareText({ count, share }: Share, digits: number, of = ''): string {
  const text = String(count).padStart(digits);
  return share === null ? text : `${text}  ${percent(share).padStart('100.0 %'.length)}${of}`;
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
