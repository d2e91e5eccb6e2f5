// Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.

/** The header fields that calls can have. */
export interface HeaderOptions {
  /** A call with the same key, path and body within 24 hours gets the stored answer and has no effect of its own. A request that was rejected before it had an effect does not use the key. */
  idempotencyKey?: string;
  /** Rejects the call with 412 unless this is the current `ETag`, with its double quotes. A change compares only the version of the row, not the interactions of a customer. */
  ifMatch?: string;
  /** With GET: 304 without a body while the `ETag` is still this one. Anything but an `ETag` in double quotes is ignored. With PUT: only `*`, which rejects the call with 412 if there is something to replace. */
  ifNoneMatch?: string;
  /** Names the request in the answer and in our logs: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is replaced. */
  requestId?: string;
}

export const headerNames = {
  idempotencyKey: 'idempotency-key',
  ifMatch: 'if-match',
  ifNoneMatch: 'if-none-match',
  requestId: 'x-request-id',
} as const;
