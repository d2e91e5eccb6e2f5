import type { Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json-pointer';
import type { z } from 'zod';

/** How many faults of a request are told. */
export const faultsMax = 100;
/** How long their pointers may be together, in UTF-16 units: a name may be as long as the body. */
const pointersMax = 64 * 1024;

/** Where in a request a value stands. Body pointers have no prefix, so that `/email` is the body's field. */
export type Part = 'body' | 'query' | 'headers';

/**
 * Every fault that parsing found, as JSON pointers (RFC 6901): `/email` in the body, `/query/pageSize` in the query; no
 * more than `told` tells. A field that is not known is a fault at its own place.
 */
export function faultsOf(part: Part, error: z.ZodError): Fault[] {
  const base = part === 'body' ? [] : [part];
  return error.issues.slice(0, faultsMax).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ pointer: pointerTo([...base, ...issue.path]), detail: issue.message }];
    }
    return issue.keys.slice(0, faultsMax).map((key) => ({
      pointer: pointerTo([...base, ...issue.path, key]),
      detail: 'Is not a known field',
    }));
  });
}

/** As many of the faults as one answer tells: a hundred at most, as far as their pointers go into 64 KiB, but one always. */
export function told(faults: readonly Fault[]): Fault[] {
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

/** The reason for a fault, where zod's own would be of no use to those who do not write JavaScript. */
export function reasonOf({ input }: z.core.$ZodRawIssue): string | undefined {
  return input === undefined ? 'Is required' : undefined;
}
