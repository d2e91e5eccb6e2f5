import { keyring } from '@parley/runtime/config/keyring';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSecret, sealSecret } from './secrets.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const before = keyring.parse(`k1:${key(1)}`);
const rotated = keyring.parse(`k2:${key(2)},k1:${key(1)}`);
const token = fc.string({ unit: 'grapheme', minLength: 1 });

test('a sealed secret opens for its webhook, also after a rotation of the keys', () => {
  fc.assert(
    fc.property(token, (secret) => {
      const sealed = sealSecret(before, 'secret-token', 'w1', secret);
      expect(openSecret(rotated, 'secret-token', 'w1', sealed)).toBe(secret);
    }),
  );
});

test('a sealed secret does not open for another webhook or as another kind', () => {
  const sealed = sealSecret(before, 'secret-token', 'w1', 'secret');
  expect(() => openSecret(before, 'secret-token', 'w2', sealed)).toThrow();
  expect(() => openSecret(before, 'signing-secret', 'w1', sealed)).toThrow();
});
