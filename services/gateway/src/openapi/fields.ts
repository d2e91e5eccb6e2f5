import { rateLimitRefusals } from '../limits/rate-limit.ts';

// The header fields of the API, as components of the OpenAPI document.

const limitNames = Object.keys(rateLimitRefusals).join('|');
const text = { type: 'string' } as const;
const tag = '"7.Zr4u7x9Qm1c0bV2nK3tYwA"';

/** Request fields besides credentials. An example that a tool sends must not change what a call does. */
export const requestFields = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Names the request in the answer and in our logs: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is replaced.',
    schema: text,
    example: 'order-1842',
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A call with the same key, path and body within 24 hours gets the stored answer and has no effect of its ' +
      'own. A request that was rejected before it had an effect does not use the key.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]{1,255}$' },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'Rejects the call with 412 unless this is the current `ETag`, with its double quotes. A change compares ' +
      'only the version of the row, not the interactions of a customer.',
    schema: text,
    examples: {
      any: { summary: 'Whatever the version', value: '*' },
      version: { summary: 'The ETag of an earlier answer', value: tag },
    },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'With GET: 304 without a body while the `ETag` is still this one. Anything but an `ETag` in double quotes is ' +
      'ignored. With PUT: only `*`, which rejects the call with 412 if there is something to replace.',
    schema: text,
    example: tag,
  },
};

export const responseFields = {
  'X-Request-Id': {
    description: 'The id of the request; it is on every log line of it.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: 'order-1842',
  },
  ETag: {
    description:
      'A strong entity tag (RFC 9110). If the answer shows one row, it begins with the version of the row.',
    required: true,
    schema: { type: 'string', pattern: '^"(?:\\d+\\.)?[A-Za-z0-9_-]{22}"$' },
    example: tag,
  },
  'RateLimit-Policy': {
    description:
      'The limit of this call: `q` calls at once, which return evenly within `w` seconds ' +
      '(draft-ietf-httpapi-ratelimit-headers).',
    required: true,
    schema: { type: 'string', pattern: `^"(?:${limitNames})";q=\\d+;w=[1-9]\\d*$` },
    example: '"key";q=400;w=2',
  },
  RateLimit: {
    description: 'How many calls are left (`r`), and after how many seconds there will be another (`t`).',
    required: true,
    schema: { type: 'string', pattern: `^"(?:${limitNames})";r=\\d+;t=[1-9]\\d*$` },
    example: '"key";r=399;t=1',
  },
  'Idempotency-Replayed': {
    description: 'This is the stored answer of an earlier call with the same Idempotency-Key.',
    schema: { const: 'true' },
    example: 'true',
  },
  'Retry-After': {
    description: 'Seconds until a retry may succeed.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The required kind of credentials.',
    required: true,
    schema: { type: 'string', pattern: '^(?:Basic|Bearer|Session) realm="parley"' },
    example: 'Basic realm="parley", charset="UTF-8"',
  },
};

export type ResponseField = keyof typeof responseFields;

export function headersOf(names: ResponseField[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
