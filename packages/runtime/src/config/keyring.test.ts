import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equalBytes, type Keyring, keyring, open, seal } from './keyring.ts';

const key = (): string => randomBytes(32).toString('base64');
const ring = (text: string): Keyring => keyring.parse(text);

describe('keyring', () => {
  test('uses the first key as current, and all of them for decryption', () => {
    const [first, second] = [key(), key()];
    const parsed = ring(`new:${first},old:${second}`);
    expect({ id: parsed.current.id, key: parsed.current.key.export() }).toEqual({
      id: 'new',
      key: Buffer.from(first, 'base64'),
    });
    expect([...parsed.keys.keys()]).toEqual(['new', 'old']);
  });

  test.each([
    '',
    'k1',
    'k1:short',
    `k1:${key()},k1:${key()}`,
    `k 1:${key()}`,
    `k1:${randomBytes(31).toString('base64')}`,
  ])('rejects %j without repeating it', (text) => {
    const result = keyring.safeParse(text);
    expect(result.success).toBe(false);
    if (text) expect(JSON.stringify(result.error?.issues)).not.toContain(text);
  });
});

describe('seal and open', () => {
  test('return any text under the same binding, also after a key rotation', () => {
    const old = key();
    const before = ring(`old:${old}`);
    const after = ring(`new:${key()},old:${old}`);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, bound) => {
        expect(open(after, seal(before, text, bound), bound)).toBe(text);
      }),
    );
  });

  test('fail for another binding, a changed text and a missing key', () => {
    const keys = ring(`k1:${key()}`);
    const sealed = seal(keys, 'secret', 'row-1');
    expect(() => open(keys, sealed, 'row-2')).toThrow();
    const changed = sealed.slice(0, 24) + (sealed.charAt(24) === 'A' ? 'B' : 'A') + sealed.slice(25);
    expect(() => open(keys, changed, 'row-1')).toThrow();
    expect(() => open(keys, sealed.slice(0, 10), 'row-1')).toThrow();
    expect(() => open(ring(`k2:${key()}`), sealed, 'row-1')).toThrow(/not in the keyring/);
  });

  test('never return the same ciphertext twice', () => {
    const keys = ring(`k1:${key()}`);
    expect(seal(keys, 'secret', 'row')).not.toBe(seal(keys, 'secret', 'row'));
  });
});

test('equalBytes compares the content', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
      expect(equalBytes(a, b)).toBe(Buffer.from(a).equals(b));
      expect(equalBytes(a, Uint8Array.from(a))).toBe(true);
    }),
  );
});
