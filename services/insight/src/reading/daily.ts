import { type EvaluationKey, factKindOf } from '@parley/bot/questions';
import type { DayFigures } from '@parley/contracts/insight/v1/insight';
import { type Figure, figureNameOf } from '../figures/names.ts';
import type { DayCounters } from './figures.ts';
import { npsOf } from './values/nps.ts';

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
