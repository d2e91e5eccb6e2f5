import type { BotDefinition, BotFault } from './format.ts';
import { nameFaults } from './name-faults.ts';
import { pathFaults } from './path-faults.ts';
import { schemaFaults } from './schema-faults.ts';

export type { BotDefinition, BotFault } from './format.ts';

const definitionBytesMax = 64 * 1024;
const faultsMax = 100;
// No definition that fits the schema has so many in 64 KiB; faults in all of them would take seconds to collect.
const objectsMax = 4000;

/**
 * Whether the value may be published as a bot: the definition itself, or what is wrong with it, all at once (at most
 * 100 faults). Steps that do not fit the schema are left out of the further checks; the ways through the talk are
 * judged only when every step fits.
 */
export function validateDefinition(input: unknown): { definition: BotDefinition } | { faults: BotFault[] } {
  const size = sizeFault(input);
  if (size !== undefined) return { faults: [size] };
  const { definition, parts, faults } = schemaFaults(input);
  faults.push(...nameFaults(parts));
  if (parts.complete) faults.push(...pathFaults(parts.steps.map(({ step }) => step)));
  if (definition !== undefined && faults.length === 0) return { definition };
  return { faults: faults.slice(0, faultsMax) };
}

/** The names of the context properties that the bot accepts, in declared order. */
export function contextNames(definition: BotDefinition): string[] {
  return (definition.context ?? []).map((property) => property.name);
}

function sizeFault(input: unknown): BotFault | undefined {
  let objects = 0;
  let bytes: number;
  try {
    const json = JSON.stringify(input, (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null) objects += 1;
      return value;
    });
    bytes = new TextEncoder().encode(json ?? '').length;
  } catch {
    return { pointer: '', detail: 'The definition is nested too deeply.' };
  }
  if (bytes > definitionBytesMax) {
    const detail = `The definition has ${bytes} bytes as JSON; at most ${definitionBytesMax} are allowed.`;
    return { pointer: '', detail };
  }
  if (objects <= objectsMax) return undefined;
  return { pointer: '', detail: `The definition has more than ${objectsMax} objects and lists.` };
}
