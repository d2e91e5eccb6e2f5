import { toJson } from '../json.ts';

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces. */
  path: string;
  /** Whether it creates something and takes an Idempotency-Key. */
  takesIdempotencyKey?: true;
  /** False if the call must not be sent again when its result is unknown. */
  isRepeatable?: false;
}

/** The header fields that say who sends a call. */
export type Credential = Record<string, string>;

export interface CallInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: unknown;
}

/**
 * Throws a TypeError for an invalid base URL. It begins with `http://` or `https://` and may have a path, but no query,
 * fragment or user info. The message does not repeat a URL that may contain a password.
 */
export function checkBaseUrl(baseUrl: string): void {
  const { username, password } = urlIn(baseUrl);
  if (username || password || /[?#]/.test(baseUrl)) {
    throw new TypeError('baseUrl must not have a user name, password, query or fragment');
  }
}

function urlIn(baseUrl: string): URL {
  try {
    if (/^https?:\/\/\S+$/i.test(baseUrl)) return new URL(baseUrl);
  } catch {
    // The error below says more.
  }
  throw new TypeError(`baseUrl must be an http or https URL, and is "${baseUrl}"`);
}

/**
 * Returns the URL of a call. Throws a TypeError for an id that a URL cannot contain: empty, `.`, `..`, or with half of
 * a surrogate pair.
 */
export function urlOf(baseUrl: string, { path }: Operation, { params = {}, query = {} }: CallInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) search.append(name, String(one));
  }
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/**
 * Returns the method, header fields and body. All attempts of a call use them, so they have the same
 * Idempotency-Key.
 */
export function initOf(
  { method, takesIdempotencyKey }: Operation,
  { body }: CallInput,
  credential: Credential,
  options: { headers?: Record<string, string> } = {},
): RequestInit {
  const headers = new Headers({ accept: 'application/json', ...credential, ...options.headers });
  if (takesIdempotencyKey && !headers.has('idempotency-key'))
    headers.set('idempotency-key', crypto.randomUUID());
  // A redirect could turn a POST into a GET. The API has no redirects.
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (body === undefined) return init;
  headers.set('content-type', 'application/json');
  return { ...init, body: toJson(body) };
}

// URL parsers remove such segments, which gives the URL of another resource.
function segment(name: string, value: string | number = ''): string {
  if (['', '.', '..'].includes(String(value))) throw new TypeError(`${name} must not be "${value}"`);
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new TypeError(`${name} must be valid Unicode`, { cause });
  }
}
