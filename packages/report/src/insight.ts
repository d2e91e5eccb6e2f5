import type {
  Insight,
  InsightCounts,
  InsightDay,
  InsightNps,
  InsightMatrix,
  InsightNumbers,
  InsightRanking,
  InsightStep,
  InsightTimes,
  InsightTotals,
  InsightWay,
} from '@parley/client';

export const figureNames = {
  created: 'Created',
  started: 'Started',
  completed: 'Completed',
  expired: 'Expired',
  stalled: 'Stalled',
  active: 'Active',
  unknown: 'Cannot be read',
  timeToComplete: 'Time to complete',
  activeSeconds: 'Active time',
  step: 'Step',
  seen: 'Seen',
  answered: 'Answered',
  skipped: 'Skipped',
  dropped: 'Dropped',
  mean: 'Mean',
  median: 'Median',
  promoters: 'Promoters',
  passives: 'Passives',
  detractors: 'Detractors',
} as const;

export type FigureNames = Record<keyof typeof figureNames, string>;

// The counts of a window, and the one of which each is a part. One without a place does not compile.
const wholes = {
  created: undefined,
  started: 'created',
  completed: 'started',
  expired: 'started',
  stalled: 'started',
  active: 'started',
  unknown: 'created',
} as const satisfies Record<CountName, 'created' | 'started' | undefined>;

type TimeName = 'timeToComplete' | 'activeSeconds';
type CountName = Exclude<keyof InsightTotals, TimeName | 'startRate' | 'completionRate'>;

/** A number of interactions, and its share of another one, from 0 to 1. */
export interface Share {
  count: number;
  /** Null: the other one is 0. */
  share: number | null;
}

/** A figure in the window, and in the one before if both are compared. */
interface Row<Name, Value> {
  name: Name;
  window: Value;
  previous?: Value;
}

/** A count with its share of `of`. */
export type CountRow = Row<CountName, Share> & { of: 'created' | 'started' | undefined };

export type TimeRow = Row<TimeName, InsightTimes>;

/** Figures that could not be read are left out if there is nothing. */
export function totalRows({ totals, previous }: Insight): { counts: CountRow[]; times: TimeRow[] } {
  const rowOf = <Name, Value>(name: Name, valueOf: (totals: InsightTotals) => Value): Row<Name, Value> => ({
    name,
    window: valueOf(totals),
    ...(previous && { previous: valueOf(previous) }),
  });
  const counts = Object.entries(wholes).map(([key, of]) => {
    const name = key as CountName;
    const row = rowOf(name, (one) => shareOf(one[name] ?? 0, of ? one[of] : one.created));
    return { ...row, of };
  });
  return {
    counts: counts.filter(
      ({ name, window, previous: before }) => name !== 'unknown' || window.count + (before?.count ?? 0) > 0,
    ),
    times: (['timeToComplete', 'activeSeconds'] as const).map((name) => rowOf(name, (one) => one[name])),
  };
}

/** A step with the shares of the interactions that have seen it. */
export interface StepRow {
  step: InsightStep;
  answered: Share;
  skipped: Share;
  dropped: Share;
  /** Whether it is the first of the steps at which most have dropped. */
  isWorst: boolean;
}

/** Returns the steps, and the most that any of them has been seen: at least 1. */
export function stepRows(steps: readonly InsightStep[]): { rows: StepRow[]; most: number } {
  const worst = Math.max(0, ...steps.map(({ dropped }) => dropped));
  const first = steps.find(({ dropped }) => dropped > 0 && dropped === worst);
  const rows = steps.map((step) => ({
    step,
    answered: shareOf(step.answered, step.seen),
    skipped: shareOf(step.skipped, step.seen),
    dropped: shareOf(step.dropped, step.seen),
    isWorst: step === first,
  }));
  return { rows, most: Math.max(1, ...steps.map(({ seen }) => seen)) };
}

/** A way between steps, with its share of all ways out of its step. */
export interface WayRow {
  way: InsightWay;
  taken: Share;
  /** Whether no other way out of its step was taken. */
  isOnly: boolean;
}

export function wayRows(ways: readonly InsightWay[] = []): WayRow[] {
  const out = Map.groupBy(ways, ({ from }) => from);
  return ways.map((way) => {
    const alike = out.get(way.from) ?? [];
    return {
      way,
      taken: shareOf(
        way.n,
        alike.reduce((sum, { n }) => sum + n, 0),
      ),
      isOnly: alike.length === 1,
    };
  });
}

/** With fewer answers, the margin is rough: it assumes a normal distribution. */
export const answersForMargin = 30;

export type Group<Name extends string = string> = Share & { name: Name };

/** A choice of a ranking: its mean rank, and how many have put it first. */
export type RankedItem = Group & { meanRank: number | null };

/** What customers have answered, by the type of the question. */
export type KeyReport =
  | {
      kind: 'score';
      figures: InsightNps;
      /** Between these is the true score with 95 %. Null without an answer. */
      range: { low: number; high: number } | null;
      isRough: boolean;
      groups: Group<'promoters' | 'passives' | 'detractors'>[];
    }
  /** The most frequent ones first. */
  | { kind: 'counts'; figures: InsightCounts; groups: Group[] }
  | { kind: 'numbers'; figures: InsightNumbers }
  /** The best mean rank first. */
  | { kind: 'ranks'; figures: InsightRanking; items: RankedItem[] }
  /** The columns of each row in the order of the question, with their shares of the answers to the row. */
  | { kind: 'rows'; figures: InsightMatrix; rows: { name: string; groups: Group[] }[] }
  | { kind: 'answers'; figures: { n: number } };

export function keyReport(figures: Insight['evaluation'][string]): KeyReport {
  const { n } = figures;
  if ('counts' in figures) {
    const groups = Object.entries(figures.counts).map(([name, count]) => ({ name, ...shareOf(count, n) }));
    return { kind: 'counts', figures, groups: groups.toSorted((one, other) => other.count - one.count) };
  }
  if ('score' in figures) {
    const { score, margin } = figures;
    const names = ['promoters', 'passives', 'detractors'] as const;
    return {
      kind: 'score',
      figures,
      range:
        score === null || margin === null
          ? null
          : { low: Math.max(-100, score - margin), high: Math.min(100, score + margin) },
      isRough: n < answersForMargin,
      groups: names.map((name) => ({ name, ...shareOf(figures[name], n) })),
    };
  }
  if ('items' in figures) {
    const items = figures.items.map(({ value: name, meanRank, first }) => {
      return { name, meanRank, ...shareOf(first, n) };
    });
    const placeOf = ({ meanRank }: RankedItem) => meanRank ?? Number.POSITIVE_INFINITY;
    return {
      kind: 'ranks',
      figures,
      items: items.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
    };
  }
  if ('rows' in figures) {
    const rows = figures.rows.map(({ value: name, counts }) => {
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const groups = Object.entries(counts).map(([column, count]) => ({
        name: column,
        ...shareOf(count, all),
      }));
      return { name, groups };
    });
    return { kind: 'rows', figures, rows };
  }
  return 'mean' in figures ? { kind: 'numbers', figures } : { kind: 'answers', figures };
}

export const dayColumns = [
  'date',
  'created',
  'started',
  'completed',
  'nps',
] as const satisfies (keyof InsightDay)[];

function shareOf(count: number, whole: number): Share {
  return { count, share: whole === 0 ? null : count / whole };
}
