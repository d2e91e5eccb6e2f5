import { hash } from 'node:crypto';
import type { Idempotency } from '@parley/contracts/common/v1/common';
import { type AppError, invalidRequest } from '@parley/runtime/errors';

interface KeyedRequest {
  /** The API key, or the id of the person. */
  callerId: string;
  method: string;
  path: string;
  /** The parsed body. Undefined without one. */
  body: unknown;
}

/**
 * Returns the key. 400 for two fields, which would look like one key with a comma, and unless it has 1 to 255 printable
 * ASCII characters.
 */
export function oneKey([key, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) throw badKey('Must be given once');
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key))
    throw badKey('Must be 1 to 255 printable ASCII characters');
  return key;
}

/**
 * Returns the Idempotency-Key for the services, unique per API key or person, method and path. Equal bodies have equal
 * fingerprints, whatever the order of their fields. A stored fingerprint does not tell whether a guessed body is right,
 * because the key, which is not stored, is part of it.
 */
export function idempotencyOf(key: string, request: KeyedRequest): Idempotency {
  const uniqueKey = JSON.stringify([request.callerId, request.method, request.path, key]);
  return {
    scope: hash('sha256', uniqueKey, 'hex'),
    fingerprint: hash('sha256', `${key}\n${canonical(request.body ?? null)}`, 'buffer'),
  };
}

/** Rejects an Idempotency-Key if a replay would need a stored secret. */
export function refuseKey(key: string | undefined): void {
  if (key !== undefined) throw badKey('Is not accepted here: a secret is never stored for a replay');
}

function badKey(detail: string): AppError {
  return invalidRequest([{ pointer: '/headers/idempotency-key', detail }]);
}

/**
 * Returns the JSON text of a parsed body, with sorted fields and dates in ISO 8601. Throws for any other value: without
 * it, two different bodies could have the same text.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${Array.from(value, canonical).join(',')}]`;
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (isPlain(value)) {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    // By UTF-16 units, which does not depend on a language.
    names.sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
  }
  // `JSON.parse` reads 1e400 as Infinity, which has no JSON text.
  if (typeof value === 'number') return String(value);
  const isScalar = value === null || typeof value === 'string' || typeof value === 'boolean';
  if (!isScalar) throw new TypeError('a body contains a value without a canonical text');
  return JSON.stringify(value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
