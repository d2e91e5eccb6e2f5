import type { Fault } from '@parley/runtime/errors';
import type { z } from 'zod';

/** Where in a request a value stands. Body pointers have no prefix, so that `/email` is the body's field. */
export type Part = 'body' | 'query' | 'headers';

/**
 * Every fault that parsing found, as JSON pointers (RFC 6901): `/email` in the body, `/query/pageSize` in the query.
 * A field that is not known is a fault at its own place.
 */
export function faultsOf(part: Part, error: z.ZodError): Fault[] {
  const base = part === 'body' ? [] : [part];
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ pointer: pointerTo([...base, ...issue.path]), detail: issue.message }];
    }
    return issue.keys.map((key) => ({
      pointer: pointerTo([...base, ...issue.path, key]),
      detail: 'Is not a known field',
    }));
  });
}

/** Members called `__proto__`, at any depth: where names are free, zod leaves them out and says nothing. */
export function protoFaults(value: unknown, path: readonly PropertyKey[] = []): Fault[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name !== '__proto__') return protoFaults(inner, [...path, name]);
    return [{ pointer: pointerTo([...path, name]), detail: 'Is not a known field' }];
  });
}

/** The reason for a fault, where zod's own would be of no use to those who do not write JavaScript. */
export function reasonOf({ input }: z.core.$ZodRawIssue): string | undefined {
  return input === undefined ? 'Is required' : undefined;
}

/** The JSON pointer of a path. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
