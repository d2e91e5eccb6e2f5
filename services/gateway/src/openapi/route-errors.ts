import { isCounted, type Route } from '../http/route.ts';
import { type ErrorType, errorTypes } from './error-types.ts';

/** The errors of every request. */
export const anyRequestErrors: ErrorType[] = [
  'malformed-request',
  'request-timeout',
  'headers-too-large',
  'internal',
];

/** Returns all errors of an operation, derived from the fields of its route, in the order of `errorTypes`. */
export function errorsOf(route: Route): ErrorType[] {
  const { access, query, params, idempotencyKey } = route;
  // Also without a schema: the body is read, and rejected unless it is empty.
  const mayHaveBody = route.method !== 'GET';
  const isApi = /^\/(?:public\/)?v1\//.test(route.path);
  const given = new Set<ErrorType>([
    ...anyRequestErrors,
    ...brought(true, 'not-acceptable', 'body-too-large'),
    ...brought(isApi, 'workspace-busy', 'unavailable', 'timeout'),
    ...brought(access === 'key', 'invalid-credentials'),
    ...brought(access === 'key' || access === 'token', 'too-many-failures'),
    ...brought(isCounted(route), 'rate-limited'),
    ...brought(access === 'session', 'invalid-session'),
    ...brought(route.refusesForeignOrigin, 'foreign-origin'),
    ...brought(params, 'malformed-path', 'not-found'),
    ...brought(query ?? mayHaveBody, 'invalid-request'),
    ...brought(mayHaveBody, 'malformed-json', 'unsupported-media-type'),
    ...brought(idempotencyKey === 'accepted', 'idempotency-key-reused'),
    ...brought(route.method !== 'POST', 'invalid-request', 'precondition-failed'),
    ...(route.errors ?? []),
  ]);
  return (Object.keys(errorTypes) as ErrorType[]).filter((type) => given.has(type));
}

function brought(cause: unknown, ...types: ErrorType[]): ErrorType[] {
  return cause ? types : [];
}
