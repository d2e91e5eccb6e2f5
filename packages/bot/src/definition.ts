import schema from '../schema/bot-v1.schema.json' with { type: 'json' };
import type { BotDefinition, BotFault, Step } from './format.ts';
import { nameFaults } from './name-faults.ts';
import { pathFaults } from './path-faults.ts';
import { stepIndexes, targets } from './paths.ts';
import { schemaFaults } from './schema-faults.ts';
import { sizeFault } from './size-fault.ts';
import { sizeWarnings } from './size-warning.ts';

export type { BotDefinition, BotFault } from './format.ts';

/** The longest name of a bot, in code points. */
export const botNameCharactersMax = schema.properties.name.maxLength;

const faultsMax = 100;

/**
 * Returns the definition with warnings about its conversations, or all its faults, at most 100. Steps that do not fit
 * the schema are left out of the further checks. Paths are checked only if every step fits and every target exists.
 */
export function validateDefinition(
  input: unknown,
): { definition: BotDefinition; warnings: BotFault[] } | { faults: BotFault[] } {
  const size = sizeFault(input);
  if (size !== undefined) return { faults: [size] };
  const { definition, parts, faults } = schemaFaults(input);
  faults.push(...nameFaults(parts));
  const steps = parts.steps.map(({ step }) => step);
  if (parts.complete && hasAllTargets(steps)) faults.push(...pathFaults(steps));
  if (definition !== undefined && faults.length === 0) {
    return { definition, warnings: sizeWarnings(definition) };
  }
  return { faults: faults.slice(0, faultsMax) };
}

// A way that leads nowhere makes all behind it look lost.
function hasAllTargets(steps: readonly Step[]): boolean {
  const ids = stepIndexes(steps);
  return steps.every((step) => targets(step).every(({ id }) => ids.has(id)));
}

/** The names of the context properties that the bot accepts, in declared order. */
export function contextNames(definition: BotDefinition): string[] {
  return (definition.context ?? []).map((property) => property.name);
}
