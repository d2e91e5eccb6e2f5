import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { AppError } from '@parley/runtime/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical, idempotencyOf, oneKey, refuseKey } from './idempotency-key.ts';

const request = { callerId: 'k', method: 'POST', path: '/v1/x', body: { a: 1 } };

test('the stored key is unique per API key, method, path and key', () => {
  const keys = [
    idempotencyOf('1', request),
    idempotencyOf('2', request),
    idempotencyOf('1', { ...request, callerId: 'l' }),
    idempotencyOf('1', { ...request, method: 'PUT' }),
    idempotencyOf('1', { ...request, path: '/v1/y' }),
  ].map((idempotency) => idempotency?.scope);
  expect(new Set(keys).size).toBe(keys.length);
  expect(idempotencyOf('1', { ...request, body: null }).scope).toBe(keys[0]);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
});

test('the fingerprint is unique per JSON value, for any order of its fields', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(JSON.parse(canonical(a))).toEqual(JSON.parse(JSON.stringify(a)));
      expect(canonical(reversed(a))).toBe(canonical(a));
      if (canonical(a) === canonical(b)) expect(JSON.parse(canonical(a))).toEqual(JSON.parse(canonical(b)));
    }),
  );
  expect(idempotencyOf('1', request).fingerprint).toHaveLength(32);
});

test('the fingerprint of a guessed body cannot be compared without the key', () => {
  const stored = idempotencyOf('1', request).fingerprint.toString('hex');
  expect(stored).not.toBe(hash('sha256', canonical(request.body), 'hex'));
  expect(stored).not.toBe(idempotencyOf('2', request).fingerprint.toString('hex'));
});

test('bodies with different instants have different fingerprints', () => {
  const instants = fc.date({ noInvalidDate: true });
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      expect(JSON.parse(canonical({ since: a, until: [b] }))).toEqual({
        since: a.toISOString(),
        until: [b.toISOString()],
      });
      expect(canonical({ since: a }) === canonical({ since: b })).toBe(a.getTime() === b.getTime());
    }),
  );
});

test('a number too large for JSON has its own fingerprint', () => {
  const texts = ['{"n":1e400}', '{"n":-1e400}', '{"n":1e300}', '{"n":null}', '{"n":"Infinity"}'];
  expect(new Set(texts.map((text) => canonical(JSON.parse(text)))).size).toBe(texts.length);
});

test('a body with a value that would be lost has no fingerprint', () => {
  const values = [
    new Map([[1, 2]]),
    new Set([1]),
    new URL('https://example.com'),
    Buffer.from('a'),
    new Date(Number.NaN),
    1n,
    Symbol('a'),
    () => 1,
    [undefined],
    Array.from({ length: 1 }),
  ];
  for (const value of values) {
    const body = { deep: [{ value }] };
    expect(() => idempotencyOf('1', { ...request, body }), inspect(value)).toThrow();
  }
  expect(() => idempotencyOf('1', { ...request, body: undefined })).not.toThrow();
});

test('a key is 1 to 255 printable ASCII characters', () => {
  expect(oneKey([])).toBeUndefined();
  for (const key of ['~'.repeat(255), 'order 17']) expect(oneKey([key])).toBe(key);
  for (const key of ['', 'é', '\t', 'x'.repeat(256)]) expect(() => oneKey([key]), key).toThrow(AppError);
});

test('a route without keys rejects any key', () => {
  expect(() => refuseKey('a')).toThrow(AppError);
  expect(() => refuseKey(undefined)).not.toThrow();
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, field]) => [name, reversed(field)]),
  );
}

test('two keys are rejected, also equal ones', () => {
  expect(oneKey([])).toBeUndefined();
  expect(oneKey(['a, b'])).toBe('a, b');
  for (const keys of [
    ['a', 'b'],
    ['a', 'a'],
  ])
    expect(() => oneKey(keys)).toThrow(AppError);
});
