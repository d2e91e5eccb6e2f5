import { type EvaluationKey, factKindOf, figureOfKind } from '@parley/bot/questions';
import type { EvaluationFigures, ValueCount } from '@parley/contracts/insight/v1/insight';
import { EvaluationFact_Kind } from '@parley/contracts/interaction/v1/facts';
import type { Figures } from './figures.ts';
import { npsOf } from './values/nps.ts';
import { numbersOf } from './values/numbers.ts';

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
  return { key, n, values: { $case: 'counts', value: { counts: countsOfAll(values, counts) } } };
}

/** Returns the counts of the declared values in their order, and then of values that only other versions declare. */
function countsOfAll(declared: readonly string[], counts: ReadonlyMap<string, number>): ValueCount[] {
  const values = new Set([...declared, ...[...counts.keys()].toSorted()]);
  return [...values].map((value) => ({ value, n: counts.get(value) ?? 0 }));
}
