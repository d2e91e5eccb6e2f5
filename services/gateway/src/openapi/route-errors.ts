import { isApi, isCounted, type Route, takesIfMatch } from '../http/server/route.ts';
import { type ErrorType, errorTypes } from './error-types.ts';

export const anyRequestErrors: ErrorType[] = [
  'malformed-request',
  'request-timeout',
  'headers-too-large',
  'internal',
];

/** Returns all errors of an operation, derived from the fields of its route, in the order of `errorTypes`. */
export function errorsOf(route: Route): ErrorType[] {
  const { access, scope, params, idempotencyKey } = route;
  // Also without a schema: the body is read, and rejected unless it is empty.
  const mayHaveBody = route.method !== 'GET';
  const given = new Set<ErrorType>([
    ...anyRequestErrors,
    ...typesIf(true, 'not-acceptable', 'body-too-large'),
    ...typesIf(isApi(route), 'invalid-request', 'workspace-busy', 'overloaded', 'unavailable', 'timeout'),
    ...typesIf(access === 'key', 'invalid-credentials', 'cross-site'),
    ...typesIf(scope && scope !== 'any' && scope !== 'operator', 'missing-scope'),
    ...typesIf(scope === 'operator', 'operator-only'),
    ...typesIf(access === 'key' && route.portal !== 'any' && route.portal !== 'webhook', 'not-for-caller'),
    ...typesIf(access === 'key' || access === 'token', 'too-many-failures'),
    ...typesIf(isCounted(route), 'rate-limited'),
    ...typesIf(access === 'session', 'invalid-session'),
    ...typesIf(route.refusesForeignOrigin, 'foreign-origin'),
    ...typesIf(params, 'malformed-path', 'not-found'),
    ...typesIf(route.query && 'cursor' in route.query.shape, 'invalid-cursor'),
    ...typesIf(mayHaveBody, 'malformed-json', 'unsupported-media-type'),
    ...typesIf(idempotencyKey === 'accepted', 'idempotency-key-reused'),
    ...typesIf(takesIfMatch(route) && !route.streams, 'invalid-request', 'precondition-failed'),
    ...typesIf(route.method === 'PUT', 'precondition-required'),
    ...(route.errors ?? []),
  ]);
  return (Object.keys(errorTypes) as ErrorType[]).filter((type) => given.has(type));
}

function typesIf(cause: unknown, ...types: ErrorType[]): ErrorType[] {
  return cause ? types : [];
}
