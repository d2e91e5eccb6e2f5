import type { Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json/json-pointer';
import { faultsMax, zodFaults } from '@parley/runtime/zod-faults';
import type { z } from 'zod';

/** The limit of all pointers in UTF-16 units. A name may be as long as the body. */
const pointersMax = 64 * 1024;

/** The part of a request. Pointers into the body have no prefix: `/email` is a field of the body. */
export type RequestPart = 'body' | 'query' | 'headers';

/**
 * Returns the faults of a part of a request, as `zodFaults` does: `/email` in the body, `/query/pageSize` in the query.
 */
export function faultsOf(part: RequestPart, error: z.ZodError): Fault[] {
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

/** What is wrong with a member named `__proto__`. */
export const protoDetail = 'Is not a known field';

/** Returns the faults of the members named `__proto__`, see `protoPaths`. */
export function protoFaults(body: unknown): Fault[] {
  return protoPaths(body).map((path) => ({ pointer: pointerTo(path), detail: protoDetail }));
}

/** Returns the first hundred members named `__proto__`, at any depth. Zod silently drops them from records. */
export function protoPaths(body: unknown): PropertyKey[][] {
  const found: PropertyKey[][] = [];
  const path: PropertyKey[] = [];
  const visit = (value: unknown): void => {
    if (!isObject(value)) return;
    for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      if (found.length === faultsMax) return;
      path.push(name);
      if (name === '__proto__') found.push([...path]);
      else visit(value[name]);
      path.pop();
    }
  };
  visit(body);
  return found;
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return value !== null && typeof value === 'object';
}
