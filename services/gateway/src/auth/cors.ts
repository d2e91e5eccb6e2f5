/** The methods and headers that a browser may use from an allowed origin, and for how long it may remember so. */
export const preflightFields = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

/** Headers of an answer that a page from an allowed origin may read. No credentials: cookies play no part. */
export function allowFields(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  };
}

/**
 * Whether the `Origin` header names one of the given URLs: scheme, host and port are equal once normalised; path and
 * trailing slash do not count. `https://*.shop.example` names every host below `shop.example`. What is no URL with an
 * origin matches nothing.
 */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  const wanted = originOf(origin);
  return wanted !== undefined && allowed.some((url) => names(originOf(url), wanted));
}

function names(allowed: string | undefined, wanted: string): boolean {
  const [scheme, below] = allowed?.split('*') ?? [];
  if (scheme === undefined || below === undefined) return allowed === wanted;
  return wanted.startsWith(scheme) && wanted.endsWith(below) && wanted.length > scheme.length + below.length;
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url && url.origin !== 'null' ? url.origin : undefined;
}
