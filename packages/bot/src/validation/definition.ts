import type { Fault } from '@parley/runtime/errors';
import { faultsMax } from '@parley/runtime/zod-faults';
import type { BotDefinition, LocalText, Step } from '../definition/format.ts';
import { comparisonWarnings } from './comparison-warnings.ts';
import { nameFaults } from './name-faults.ts';
import { outlineOf } from '../definition/outline.ts';
import { templateReferences, translations } from '../text/template.ts';
import { transitionFaults } from './transition-faults.ts';
import { stepIndexes, targetsOf } from '../definition/transitions.ts';
import { schemaFaults } from './schema-faults.ts';
import { sizeFault } from './size-fault.ts';
import { sizeWarnings } from './size-warning.ts';
import { runAtOnce, type Slices } from '../bounds/slices.ts';
import { workFault } from './work-fault.ts';
import { type MessageFault, messages } from '../text/messages.ts';

export { bytesFault } from './size-fault.ts';
export {
  type BotDefinition,
  botNameCharactersMax,
  stalledAfterSecondsDefault,
} from '../definition/format.ts';

export type Validation = { definition: BotDefinition; warnings: Fault[] } | { faults: Fault[] };

/**
 * Returns the definition with at most 100 warnings about its conversations, or at most 100 of its faults. Steps that do
 * not match the schema are left out of the further checks. Paths are checked only if every step matches and every
 * target exists, and the work of a turn only without other faults.
 */
export function validateDefinition(input: unknown): Validation {
  return runAtOnce(validateInSlices(input));
}

/** Validates as `validateDefinition` does, in slices of a few milliseconds. */
export function* validateInSlices(input: unknown): Slices<Validation> {
  const size = sizeFault(input);
  if (size !== undefined) return { faults: [size] };
  yield;
  const { definition, parts, faults } = yield* schemaFaults(input);
  if (faults.length >= faultsMax) return { faults: faults.slice(0, faultsMax) };
  yield;
  const names = yield* nameFaults(parts);
  faults.push(...names.faults);
  const steps = parts.steps.map(({ step }) => step);
  const ids = stepIndexes(steps);
  // A target that does not exist would make all steps behind it look unreachable.
  const hasAllTargets = steps.every((step) => targetsOf(step).every(({ id }) => ids.has(id)));
  if (parts.complete && hasAllTargets) faults.push(...transitionFaults(steps));
  if (definition === undefined || names.expressions === undefined || faults.length > 0) {
    return { faults: faults.slice(0, faultsMax) };
  }
  yield;
  const work = workFault(definition, names.expressions);
  if (work !== undefined) return { faults: [work] };
  const found: MessageFault[] = [];
  for (const warn of [sizeWarnings, pathWarnings, personalWarnings]) {
    yield;
    found.push(...warn(definition));
  }
  yield;
  const warnings = found.slice(0, faultsMax);
  warnings.push(...comparisonWarnings(definition, names.expressions, faultsMax - warnings.length));
  return { definition, warnings };
}

/** Returns the names of the context properties that the bot accepts, in declared order. */
export function contextNames(definition: BotDefinition): string[] {
  return (definition.context ?? []).map((property) => property.name);
}

/** Returns a warning for each step that is named, but that no path from the start reaches. */
function pathWarnings(definition: BotDefinition): MessageFault[] {
  return outlineOf(definition).flatMap(({ id, from, isReached }, index) => {
    const detail = messages.neverTaken(id, from.join(', '));
    return isReached ? [] : [{ pointer: `/steps/${index}`, detail }];
  });
}

/** Returns a warning for each text that prints personal context: every reader of the conversation sees it. */
function personalWarnings({ context = [], steps }: BotDefinition): MessageFault[] {
  const personal = new Set(context.flatMap(({ name, pii }) => (pii === true ? [name] : [])));
  if (personal.size === 0) return [];
  return steps.flatMap((step, index) =>
    textsOf(step).flatMap(([inside, text]) => {
      const names = translations(text).flatMap((one) => templateReferences(one).references);
      const printed = names.find(({ source, name }) => source === 'context' && personal.has(name));
      return printed === undefined
        ? []
        : [{ pointer: `/steps/${index}${inside}`, detail: messages.personal(printed.name) }];
    }),
  );
}

function textsOf(step: Step): [pointer: string, text: LocalText][] {
  const texts: [string, LocalText][] = [];
  if ('text' in step && step.text !== undefined) texts.push(['/text', step.text]);
  if (step.kind === 'ask' && step.retry !== undefined) texts.push(['/retry/text', step.retry.text]);
  return texts;
}
