import { type EvaluationKey, factKindOf, figureOfKind } from '@parley/bot/questions';
import type {
  DayFigures,
  EvaluationFigures,
  RowCounts,
  StepFigures,
  Totals,
  ValueCount,
  WayFigures,
  WeekFigures,
} from '@parley/contracts/insight/v1/insight';
import { EvaluationFact_Kind } from '@parley/contracts/interaction/v1/facts';
import { type Figure, figureNameOf } from '../figures/counters.ts';
import type { StepOutline } from '../figures/outline.ts';
import type { DayCounters, Figures } from './figures.ts';
import { npsOf, numbersOf, ranksOf, timesOf } from './statistics.ts';
import { mondayOf, type Window } from './window.ts';

export function totalsOf(window: Window, figures: Figures): Totals {
  return {
    ...window,
    created: figures.count('created'),
    started: figures.count('started'),
    completed: figures.count('completed'),
    expired: figures.count('expired'),
    stalled: figures.count('stalled'),
    active: figures.count('active'),
    unknown: figures.count('unknown'),
    timeToComplete: timesOf(figures.countsOf('time', 'elapsed')),
    activeSeconds: timesOf(figures.countsOf('time', 'attended')),
  };
}

export function stepOf({ id, kind, text, since }: StepOutline, figures: Figures): StepFigures {
  return {
    stepId: id,
    kind,
    text,
    since: new Date(since),
    seen: figures.count('step', 'seen', id),
    answered: figures.count('step', 'answered', id),
    skipped: figures.count('step', 'skipped', id),
    dropped: figures.count('step', 'dropped', id),
  };
}

/** Returns the ways between these steps that were taken, in the order of the steps. */
export function waysOf(stepIds: readonly string[], figures: Figures): WayFigures[] {
  const places = new Map(stepIds.map((id, index) => [id, index]));
  const placeOf = ({ toStepId }: WayFigures): number => places.get(toStepId) ?? 0;
  return stepIds.flatMap((fromStepId) =>
    Array.from(figures.countsOf('way', fromStepId), ([toStepId, n]) => ({ fromStepId, toStepId, n }))
      .filter(({ toStepId }) => places.has(toStepId))
      .toSorted((one, other) => placeOf(one) - placeOf(other)),
  );
}

const kinds = Object.values(EvaluationFact_Kind);

/** Returns the figures of the values of a key that are of its kind; for a text, how many values there are of any. */
export function evaluationOf({ key, kind, values }: EvaluationKey, figures: Figures): EvaluationFigures {
  const figure = figureOfKind(kind);
  if (figure === null) {
    const n = kinds.reduce((sum, one) => sum + figures.count('has', one, key), 0);
    return { key, n, values: null };
  }
  const counted = factKindOf(kind);
  const n = figures.count('has', counted, key);
  const counts = figures.countsOf('value', counted, key);
  if (figure === 'score') {
    const { distribution } = numbersOf(counts, values);
    return { key, n, values: { $case: 'nps', value: { ...npsOf(counts), distribution } } };
  }
  if (figure === 'numbers') return { key, n, values: { $case: 'numbers', value: numbersOf(counts, values) } };
  if (figure === 'ranks')
    return { key, n, values: { $case: 'ranks', value: { items: ranksOf(values, counts) } } };
  if (figure === 'rows')
    return { key, n, values: { $case: 'rows', value: { rows: rowsOf(values, counts) } } };
  return { key, n, values: { $case: 'counts', value: { counts: countsOfAll(values, counts) } } };
}

/** Returns the counts of each row: of `row/column`, declared ones first. */
function rowsOf(declared: readonly string[], counts: ReadonlyMap<string, number>): RowCounts[] {
  const rows = new Map<string, ValueCount[]>();
  for (const { value, n } of countsOfAll(declared, counts)) {
    const [row = '', ...column] = value.split('/');
    rows.set(row, [...(rows.get(row) ?? []), { value: column.join('/'), n }]);
  }
  return Array.from(rows, ([value, ofRow]) => ({ value, counts: ofRow }));
}

/** Returns the counts of the declared values in their order, and then of values that only other versions declare. */
function countsOfAll(declared: readonly string[], counts: ReadonlyMap<string, number>): ValueCount[] {
  const values = new Set([...declared, ...[...counts.keys()].toSorted()]);
  return [...values].map((value) => ({ value, n: counts.get(value) ?? 0 }));
}

const totals = [['created'], ['started'], ['completed']] as const satisfies Figure[];

/** Returns the names of the counters that `dayOf` needs. `nps` is the key of the bot's score, if it has one. */
export function dailyNames(nps: EvaluationKey | undefined): string[] {
  const values = nps?.values.map((value): Figure => ['value', factKindOf(nps.kind), nps.key, value]) ?? [];
  return [...totals, ...values].map(figureNameOf);
}

export function dayOf({ date, figures }: DayCounters, nps: EvaluationKey | undefined): DayFigures {
  return {
    date,
    created: figures.count('created'),
    started: figures.count('started'),
    completed: figures.count('completed'),
    nps: nps && npsOf(figures.countsOf('value', factKindOf(nps.kind), nps.key)).score,
  };
}

/** Returns the score of each week that the days are in; nothing without the key of a score. */
export function weeksOf(days: readonly DayCounters[], nps: EvaluationKey | undefined): WeekFigures[] {
  if (!nps) return [];
  const byWeek = Map.groupBy(days, ({ date }) => mondayOf(date));
  return Array.from(byWeek, ([date, ofWeek]) => {
    const counts = new Map<string, number>();
    for (const { figures } of ofWeek) {
      for (const [value, n] of figures.countsOf('value', factKindOf(nps.kind), nps.key))
        counts.set(value, (counts.get(value) ?? 0) + n);
    }
    const { promoters, passives, detractors, score, margin } = npsOf(counts);
    return { date, n: promoters + passives + detractors, nps: score, margin };
  });
}
