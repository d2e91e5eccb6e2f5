import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { z } from 'zod';

/** Secret keys under ids. `current` is used for new data; the others only decrypt and verify older data. */
export interface Keyring {
  current: { id: string; key: KeyObject };
  keys: ReadonlyMap<string, KeyObject>;
}

/** Parses `kid:base64(32 bytes)[,kid2:...]`; the first key is current. */
export const keyring = z.string().transform((value, context): Keyring => {
  const keys = new Map<string, KeyObject>();
  for (const part of value.split(',')) {
    const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(part.trim());
    if (!match?.[1] || !match[2] || keys.has(match[1])) {
      context.addIssue({ code: 'custom', message: 'must be kid:base64(32 bytes)[,kid2:...], each kid once' });
      return z.NEVER;
    }
    keys.set(match[1], createSecretKey(match[2], 'base64'));
  }
  const [first] = keys;
  if (!first) return z.NEVER;
  return { current: { id: first[0], key: first[1] }, keys };
});

/** Returns the HMAC-SHA256 (RFC 2104) of the text, 32 bytes. A cached key object is faster than a buffer. */
export function mac(key: KeyObject | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Compares in constant time for a given length. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Encrypts with AES-256-GCM under the current key. `bound` is authenticated but not stored: decryption needs
 * the same value (such as the row's id), so a ciphertext cannot be moved to another row.
 */
export function seal(ring: Keyring, text: string, bound: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', ring.current.key, iv).setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${ring.current.id}.${sealed.toString('base64url')}`;
}

/** Decrypts the result of `seal`. Throws when the key is missing, the text was changed or `bound` differs. */
export function open(ring: Keyring, sealed: string, bound: string): string {
  const dot = sealed.indexOf('.');
  const key = ring.keys.get(sealed.slice(0, dot));
  if (!key) throw new Error('sealed under a key that is not in the keyring');
  const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}
