import { redactEntries, redactEvaluation, redactState } from '../src/redact.ts';
import { runAtOnce, type Slices } from '../src/slices.ts';

export const redactedEntries = atOnce(redactEntries);
export const redactedState = atOnce(redactState);
export const redactedEvaluation = atOnce(redactEvaluation);

function atOnce<Args extends unknown[], Result>(work: (...args: Args) => Slices<Result>) {
  return (...args: Args): Result => runAtOnce(work(...args));
}
