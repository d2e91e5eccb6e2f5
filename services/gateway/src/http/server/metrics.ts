import { counter, histogram, isRecording } from '@parley/runtime/metrics/metrics';

export const requestDuration = histogram({
  name: 'http.server.request.duration',
  description: 'Duration of HTTP requests, with the wait of long polls',
  attributes: ['url.scheme', 'http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
});

export const errors = counter({
  name: 'parley.gateway.errors',
  unit: '{error}',
  description: 'Errors that clients got',
  attributes: ['type', 'http.response.status_code'],
});

// Other methods are `_OTHER`: clients can send any word.
const knownMethods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'QUERY',
]);

interface EndedRequest {
  scheme: 'http' | 'https';
  method: string;
  /** The pattern of the path. */
  route: string;
  status: number;
  errorType: string | undefined;
  /** Whether the client left without an answer. It has no status then, which could count as an error of ours. */
  isGone: boolean;
  durationMs: number;
}

export function recordRequest({
  scheme,
  method,
  route,
  status,
  errorType,
  isGone,
  durationMs,
}: EndedRequest): void {
  if (!isRecording()) return;
  const fault = isGone ? 'client-disconnected' : status >= 500 ? (errorType ?? '_OTHER') : undefined;
  requestDuration.record(durationMs / 1_000, {
    'url.scheme': scheme,
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    'http.route': route,
    ...(!isGone && { 'http.response.status_code': status }),
    ...(fault !== undefined && { 'error.type': fault }),
  });
  if (!isGone && (status >= 400 || errorType !== undefined)) recordError(errorType ?? '_OTHER', status);
}

export function recordError(type: string, status: number): void {
  errors.add({ type, 'http.response.status_code': status });
}
