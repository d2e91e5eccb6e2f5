import type { Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json-pointer';
import { faultsMax, zodFaults } from '@parley/runtime/zod-faults';
import type { z } from 'zod';

/** How long their pointers may be together, in UTF-16 units: a name may be as long as the body. */
const pointersMax = 64 * 1024;

/** Where in a request a value stands. Body pointers have no prefix, so that `/email` is the body's field. */
export type Part = 'body' | 'query' | 'headers';

/** Returns the faults of a part of a request, as `zodFaults` does: `/email` in the body, `/query/pageSize` in the query. */
export function faultsOf(part: Part, error: z.ZodError): Fault[] {
  return zodFaults(error, part === 'body' ? [] : [part]);
}

/** Returns the faults that one answer holds: at most 100, with pointers of 64 KiB in all, but always one. */
export function truncateFaults(faults: readonly Fault[]): Fault[] {
  let length = 0;
  return faults.slice(0, faultsMax).filter(({ pointer }, index) => {
    length += pointer.length;
    return index === 0 || length <= pointersMax;
  });
}

/** Members called `__proto__`, at any depth: where names are free, zod leaves them out and says nothing. The first hundred. */
export function protoFaults(value: unknown, path: readonly PropertyKey[] = [], found: Fault[] = []): Fault[] {
  if (value === null || typeof value !== 'object') return found;
  for (const [name, inner] of Object.entries(value)) {
    if (found.length === faultsMax) break;
    if (name !== '__proto__') protoFaults(inner, [...path, name], found);
    else found.push({ pointer: pointerTo([...path, name]), detail: 'Is not a known field' });
  }
  return found;
}
