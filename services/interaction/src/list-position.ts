import { invalidRequest } from '@parley/runtime/errors';
import { validate as isUuid } from 'uuid';

/** Returns the id behind which a list continues, if given. INVALID_ARGUMENT unless it is a UUID. */
export function positionOf(after: string | null | undefined): string | undefined {
  if (typeof after !== 'string') return undefined;
  if (!isUuid(after)) throw invalidRequest([{ pointer: '/after', detail: 'Must be an id of the list' }]);
  return after;
}
