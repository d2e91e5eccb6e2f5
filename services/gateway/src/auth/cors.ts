/** The methods and header fields that an allowed origin may use, and how long a browser may cache this. */
export const preflightFields = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

/** The header fields of an answer that pages of an allowed origin may read. The API uses no cookies. */
export function allowFields(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  };
}

/**
 * Returns whether the `Origin` header matches one of the URLs. It compares normalised scheme, host and port, and
 * ignores the path. `https://*.shop.example` matches every host below `shop.example`. A URL without an origin matches
 * nothing.
 */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  const normalised = originOf(origin);
  return normalised !== undefined && allowed.some((url) => matchesOrigin(originOf(url), normalised));
}

/** Returns allowed domains as host sources of `frame-ancestors` (CSP 3), without domains that have no such form. */
export function frameAncestors(allowed: readonly string[]): string[] {
  const form = /^https?:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d+)?$/;
  return allowed.map(originOf).filter((origin) => origin !== undefined && form.test(origin)) as string[];
}

function matchesOrigin(allowed: string | undefined, origin: string): boolean {
  const [scheme, below] = allowed?.split('*') ?? [];
  if (scheme === undefined || below === undefined) return allowed === origin;
  return origin.startsWith(scheme) && origin.endsWith(below) && origin.length > scheme.length + below.length;
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url && url.origin !== 'null' ? url.origin : undefined;
}
