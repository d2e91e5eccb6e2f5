import type { Fault } from '@parley/runtime/errors';
import { faultsMax } from '@parley/runtime/zod-faults';
import type { BotDefinition } from './format.ts';
import { nameFaults } from './name-faults.ts';
import { transitionFaults } from './transition-faults.ts';
import { stepIndexes, targets } from './transitions.ts';
import { schemaFaults } from './schema-faults.ts';
import { sizeFault } from './size-fault.ts';
import { sizeWarnings } from './size-warning.ts';

export { type BotDefinition, botNameCharactersMax } from './format.ts';

/**
 * Returns the definition with warnings about its conversations, or all its faults, at most 100. Steps that do not match
 * the schema are left out of the further checks. Paths are checked only if every step matches and every target exists.
 */
export function validateDefinition(
  input: unknown,
): { definition: BotDefinition; warnings: Fault[] } | { faults: Fault[] } {
  const size = sizeFault(input);
  if (size !== undefined) return { faults: [size] };
  const { definition, parts, faults } = schemaFaults(input);
  faults.push(...nameFaults(parts));
  const steps = parts.steps.map(({ step }) => step);
  const ids = stepIndexes(steps);
  // A target that does not exist would make all steps behind it look unreachable.
  const hasAllTargets = steps.every((step) => targets(step).every(({ id }) => ids.has(id)));
  if (parts.complete && hasAllTargets) faults.push(...transitionFaults(steps));
  if (definition !== undefined && faults.length === 0) {
    return { definition, warnings: sizeWarnings(definition) };
  }
  return { faults: faults.slice(0, faultsMax) };
}

/** Returns the names of the context properties that the bot accepts, in declared order. */
export function contextNames(definition: BotDefinition): string[] {
  return (definition.context ?? []).map((property) => property.name);
}
