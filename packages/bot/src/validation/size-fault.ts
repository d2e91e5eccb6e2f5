import { pointerTo } from '@parley/runtime/json/json-pointer';
import { itemsMax, membersMax } from '../definition/format.ts';
import { type MessageFault, messages } from '../text/messages.ts';

const definitionBytesMax = 64 * 1024;
// No definition that matches the schema has as many in 64 KiB. Collecting the faults in all of them would
// take seconds.
const objectsMax = 4000;

/** Returns why a value is too large, too deep or too wide to be checked against the schema. */
export function sizeFault(input: unknown): MessageFault | undefined {
  try {
    return bytesFault(input) ?? extentFault(input, [], { objects: 0 });
  } catch {
    return { pointer: '', detail: messages.nested };
  }
}

/** Returns why a value has too many bytes. Throws for a value that is nested too deeply. */
export function bytesFault(input: unknown): MessageFault | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(input) ?? '').length;
  if (bytes <= definitionBytesMax) return undefined;
  return { pointer: '', detail: messages.bytes(bytes, definitionBytesMax) };
}

function extentFault(
  value: unknown,
  path: readonly string[],
  seen: { objects: number },
): MessageFault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  seen.objects += 1;
  if (seen.objects > objectsMax) {
    return { pointer: '', detail: messages.manyObjects(objectsMax) };
  }
  const entries = Object.entries(value);
  const max = Array.isArray(value) ? itemsMax : membersMax;
  if (entries.length > max) return { pointer: pointerTo(path), detail: messages.manyEntries(max) };
  for (const [name, inner] of entries) {
    // Zod ignores this name where names are free.
    if (name === '__proto__') return { pointer: pointerTo([...path, name]), detail: messages.prototype };
    const fault = extentFault(inner, [...path, name], seen);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
