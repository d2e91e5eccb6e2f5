import { isApiKey, isApiSecret } from '@parley/contracts/api-key';
import fc from 'fast-check';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Keyring } from '@parley/runtime/config/keyring';
import { digestOf, isSecretOf, newApiKey, newApiSecret, newKid, newSdkSecret } from './credential.ts';

const bits = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes));
const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

function ring(...ids: string[]): Keyring {
  const keys = new Map(ids.map((id) => [id, createSecretKey(Buffer.alloc(32, id))]));
  const id = ids[0] ?? '';
  return { current: { id, key: keys.get(id) ?? createSecretKey(randomBytes(32)) }, keys };
}

// CRC-32/ISO-HDLC bit by bit, after its definition.
function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}

function valueOf(digits: string): bigint {
  return [...digits].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n);
}

describe('the form', () => {
  test('a key has its 128 bits in 22 digits of base 62', () => {
    fc.assert(
      fc.property(bits(16), (given) => {
        const key = newApiKey(given);
        expect(key).toMatch(/^prl_key_[0-9A-Za-z]{22}$/);
        expect(valueOf(key.slice(8))).toBe(BigInt(`0x${given.toString('hex')}`));
        expect(isApiKey(key)).toBe(true);
      }),
    );
  });

  test('a secret has its 256 bits in 43 digits of base 62 and their CRC-32 in 6', () => {
    fc.assert(
      fc.property(bits(32), (given) => {
        const secret = newApiSecret(given);
        expect(secret).toMatch(/^prl_sec_[0-9A-Za-z]{49}$/);
        const digits = secret.slice(8, 51);
        expect(valueOf(digits)).toBe(BigInt(`0x${given.toString('hex')}`));
        expect(valueOf(secret.slice(51))).toBe(BigInt(crc32(digits)));
        expect(isApiSecret(secret)).toBe(true);
      }),
    );
  });

  test('the smallest and the largest secret are padded to the exact form', () => {
    expect(newApiSecret(Buffer.alloc(32))).toMatch(/^prl_sec_0{43}/);
    expect(newApiSecret(Buffer.alloc(32, 0xff))).toHaveLength(57);
    expect(crc32('123456789')).toBe(0xcb_f4_39_26);
  });

  test('the checksum rejects a secret with any changed digit', () => {
    fc.assert(
      fc.property(bits(32), fc.nat(48), fc.constantFrom(...alphabet), (given, at, digit) => {
        const secret = newApiSecret(given);
        const place = 8 + at;
        fc.pre(secret[place] !== digit);
        expect(isApiSecret(secret.slice(0, place) + digit + secret.slice(place + 1))).toBe(false);
      }),
    );
  });

  test('any other form is rejected', () => {
    const secret = newApiSecret();
    const key = newApiKey();
    for (const text of ['', secret, ` ${key}`, `${key}\n`, key.slice(0, -1), `${key}0`, key.toUpperCase()]) {
      expect(isApiKey(text)).toBe(false);
    }
    for (const text of [
      '',
      key,
      ` ${secret}`,
      `${secret}\n`,
      secret.slice(0, -1),
      `${secret}0`,
      newSdkSecret(),
    ]) {
      expect(isApiSecret(text)).toBe(false);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect([isApiKey(text), isApiSecret(text)]).toEqual([false, false]);
      }),
    );
  });

  test('new ones are all different', () => {
    const made = Array.from({ length: 1_000 }, () => [newApiKey(), newApiSecret(), newSdkSecret(), newKid()]);
    expect(new Set(made.flat()).size).toBe(4_000);
    expect(newKid()).toMatch(/^[0-9A-Za-z]{22}$/);
  });
});

describe('the digest', () => {
  test('is the HMAC-SHA256 under the current pepper, and never the secret', () => {
    const secret = newApiSecret();
    const kept = digestOf(ring('new', 'old'), secret);
    const expected = createHmac('sha256', Buffer.alloc(32, 'new')).update(secret).digest();
    expect(kept).toEqual({ pepperId: 'new', digest: expected });
  });

  test('accepts only its own secret', () => {
    fc.assert(
      fc.property(bits(32), bits(32), (own, other) => {
        fc.pre(!own.equals(other));
        const kept = digestOf(ring('p'), newApiSecret(own));
        expect(isSecretOf(ring('p'), newApiSecret(own), kept)).toBe(true);
        expect(isSecretOf(ring('p'), newApiSecret(other), kept)).toBe(false);
      }),
    );
  });

  test('is accepted under an old pepper until that pepper is removed', () => {
    const secret = newApiSecret();
    const kept = digestOf(ring('old'), secret);
    expect(isSecretOf(ring('new', 'old'), secret, kept)).toBe(true);
    expect(isSecretOf(ring('new'), secret, kept)).toBe(false);
    expect(isSecretOf(ring('new', 'old'), newApiSecret(), kept)).toBe(false);
  });

  test('that is absent accepts nothing', () => {
    fc.assert(
      fc.property(fc.string(), (secret) => {
        expect(isSecretOf(ring('p'), secret, undefined)).toBe(false);
      }),
    );
  });
});
