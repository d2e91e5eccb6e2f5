import { hash } from 'node:crypto';
import type { Idempotency } from '@parley/contracts/common/v1/common';
import { type AppError, invalidRequest } from '@parley/runtime/errors';

interface KeyedRequest {
  apiKey: string;
  method: string;
  path: string;
  /** The body as it was parsed. */
  body: unknown;
}

/**
 * An Idempotency-Key as the services take it: unique per API key, method and path; equal bodies have equal
 * fingerprints whatever the order of their fields. Null without a key. 400 when it is not 1 to 255 printable ASCII
 * characters.
 */
export function idempotencyOf(key: string | undefined, request: KeyedRequest): Idempotency | null {
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw badKey('Must be 1 to 255 printable ASCII characters');
  const scope = JSON.stringify([request.apiKey, request.method, request.path, key]);
  return {
    scope: hash('sha256', scope, 'hex'),
    fingerprint: hash('sha256', canonical(request.body), 'buffer'),
  };
}

/** Refuses an Idempotency-Key where its answer would have to store a secret. */
export function refuseKey(key: string | undefined): void {
  if (key !== undefined) throw badKey('Is not accepted here: a secret is never stored for a replay');
}

function badKey(detail: string): AppError {
  return invalidRequest([{ pointer: '/headers/idempotency-key', detail }]);
}

/** JSON text of a parsed JSON value with the fields of every object in order of their names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
