import { hash } from 'node:crypto';
import type { Idempotency } from '@parley/contracts/common/v1/common';
import { type AppError, invalidRequest } from '@parley/runtime/errors';

interface KeyedRequest {
  apiKey: string;
  method: string;
  path: string;
  /** The body as its route parsed it; undefined where there is none. */
  body: unknown;
}

/** The one key among the fields of that name. 400 for two, which joined by a comma would read like one that has a comma. */
export function oneKey([key, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) throw badKey('Must be given once');
  return key;
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
    fingerprint: hash('sha256', canonical(request.body ?? null), 'buffer'),
  };
}

/** Refuses an Idempotency-Key where its answer would have to store a secret. */
export function refuseKey(key: string | undefined): void {
  if (key !== undefined) throw badKey('Is not accepted here: a secret is never stored for a replay');
}

function badKey(detail: string): AppError {
  return invalidRequest([{ pointer: '/headers/idempotency-key', detail }]);
}

/**
 * JSON text of a body that routes may have parsed further, with the fields of every object in order of their names; an
 * instant is its ISO 8601 text. Throws for any other value: were one left out, two bodies that differ would pass for one.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${Array.from(value, canonical).join(',')}]`;
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (isPlain(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
  }
  // JSON's 1e400 is Infinity here, for which JSON has no text.
  if (typeof value === 'number') return String(value);
  const isScalar = value === null || typeof value === 'string' || typeof value === 'boolean';
  if (!isScalar) throw new TypeError('a body holds what has no canonical text');
  return JSON.stringify(value);
}

function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
