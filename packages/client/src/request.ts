import type { Operation } from './gen/api.ts';

/** What an operation takes, whichever it is. */
export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

/**
 * Throws a TypeError for what no call can be sent to: a base URL begins with `http://` or `https://` and may have a path,
 * but neither query, fragment nor user info. The message does not repeat a URL that may hold a password.
 */
export function checkBaseUrl(baseUrl: string): void {
  if (!/^https?:\/\/\S+$/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError(
      `baseUrl must be an http or https URL, such as https://api.example.com, and is "${baseUrl}"`,
    );
  }
  const { username, password } = new URL(baseUrl);
  if (username || password) {
    throw new TypeError('baseUrl must not have a user name or password in it');
  }
  if (/[?#]/.test(baseUrl)) {
    throw new TypeError(`baseUrl must not have a query or fragment, and is "${baseUrl}"`);
  }
}

/**
 * The URL of a call. Throws a TypeError for an id that no URL can carry: empty, `.`, `..`, or with half of a surrogate
 * pair in it.
 */
export function urlOf(baseUrl: string, { path }: Operation, { params = {}, query = {} }: Input): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/** All else that is sent, the same on every try: a call that creates has a key. */
export function initOf(
  { method, takesIdempotencyKey }: Operation,
  { body }: Input,
  fields: { authorization?: string | undefined; ifMatch?: string; idempotencyKey?: string },
): RequestInit {
  const headers = new Headers({ accept: 'application/json' });
  if (fields.authorization !== undefined) headers.set('authorization', fields.authorization);
  if (fields.ifMatch !== undefined) headers.set('if-match', fields.ifMatch);
  if (takesIdempotencyKey) headers.set('idempotency-key', fields.idempotencyKey ?? crypto.randomUUID());
  // A redirect could turn a POST into a GET; the API makes none.
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (body === undefined) return init;
  headers.set('content-type', 'application/json');
  return { ...init, body: JSON.stringify(body) };
}

// A URL forgets such segments and would lead to another resource.
function segment(name: string, value = ''): string {
  if (['', '.', '..'].includes(value)) throw new TypeError(`${name} must not be "${value}"`);
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new TypeError(`${name} must be well-formed Unicode`, { cause });
  }
}
