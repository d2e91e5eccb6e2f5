import { interactionLimits, openLinkLimits } from '@parley/contracts/limits';
import type { ContextEntry } from '@parley/contracts/interaction/v1/interaction';

// What the query of an open link says.

/** The parameter with the id of a visit. The page of the link adds it to its form. */
export const visitName = '_visit';

/** Undefined without a valid one. */
export function visitIn(query: URLSearchParams): string | undefined {
  const visit = query.get(visitName) ?? '';
  return /^[\w-]+$/.test(visit) && visit.length <= openLinkLimits.visitCharactersMax ? visit : undefined;
}

/**
 * Returns the context that the query gives, of these keys. Anybody can write a query, so what does not fit is left out:
 * further values of a key, values that are empty, too long or that Postgres cannot store.
 */
export function contextIn(query: URLSearchParams, keys: readonly string[]): ContextEntry[] {
  let bytesLeft: number = interactionLimits.contextBytesMax;
  return keys.flatMap((key) => {
    const value = query.get(key) ?? '';
    const bytes = Buffer.byteLength(value);
    const isTaken = bytes <= Math.min(interactionLimits.contextValueBytesMax, bytesLeft);
    if (value === '' || value.includes('\0') || !isTaken) return [];
    bytesLeft -= bytes;
    return [{ key, value }];
  });
}
