import {
  redactContext,
  redactEntries,
  redactEvaluation,
  redactState,
  removerFor,
} from '../src/personal/redact.ts';
import { valueRemover } from '../src/personal/remove-values.ts';
import { runAtOnce, type Slices } from '../src/bounds/slices.ts';

export const redactedEntries = atOnce(redactEntries);
export const redactedState = atOnce(redactState);
export const redactedContext = atOnce(redactContext);
export const removerAtOnce = atOnce(removerFor);
export const valueRemoverAtOnce = atOnce(valueRemover);
export const redactedEvaluation = atOnce(redactEvaluation);

function atOnce<Args extends unknown[], Result>(work: (...args: Args) => Slices<Result>) {
  return (...args: Args): Result => runAtOnce(work(...args));
}
