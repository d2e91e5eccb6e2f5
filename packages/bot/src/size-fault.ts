import schema from '../schema/bot-v1.schema.json' with { type: 'json' };
import type { BotFault } from './format.ts';
import { escapePointer } from './schema-faults.ts';

const definitionBytesMax = 64 * 1024;
// No definition that fits the schema has so many in 64 KiB; faults in all of them would take seconds to collect.
const objectsMax = 4000;
// What is wider than all that the schema knows fits nowhere. Faults in each entry would be more than can be collected: the
// validator copies those it has for each further one.
const itemsMax = largest(schema, 'maxItems');
const membersMax = largest(schema, 'maxProperties');

/** Why a value is too large, too deep or too wide to be looked at any further. */
export function sizeFault(input: unknown): BotFault | undefined {
  try {
    const bytes = new TextEncoder().encode(JSON.stringify(input) ?? '').length;
    if (bytes > definitionBytesMax) {
      const detail = `The definition has ${bytes} bytes as JSON; at most ${definitionBytesMax} are allowed.`;
      return { pointer: '', detail };
    }
    return extentFault(input, '', { objects: 0 });
  } catch {
    return { pointer: '', detail: 'The definition is nested too deeply.' };
  }
}

function extentFault(value: unknown, pointer: string, seen: { objects: number }): BotFault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  seen.objects += 1;
  if (seen.objects > objectsMax) {
    return { pointer: '', detail: `The definition has more than ${objectsMax} objects and lists.` };
  }
  const entries = Object.entries(value);
  const max = Array.isArray(value) ? itemsMax : membersMax;
  if (entries.length > max) return { pointer, detail: `Must have at most ${max} entries.` };
  for (const [name, inner] of entries) {
    const fault = extentFault(inner, `${pointer}/${escapePointer(name)}`, seen);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The largest of the numbers that the members of that name have, at any depth. */
function largest(node: object, name: string): number {
  const of = ([key, inner]: [string, unknown]): number => {
    if (typeof inner === 'object' && inner !== null) return largest(inner, name);
    return key === name && typeof inner === 'number' ? inner : 0;
  };
  return Math.max(0, ...Object.entries(node).map(of));
}
