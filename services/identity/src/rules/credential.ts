import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type TokenKind, tokenPrefixes } from '@parley/contracts/person-token';
import { toBase62 } from '@parley/runtime/base62';
import { equalBytes, type Keyring, mac } from '@parley/runtime/config/keyring';

/** The stored form of a secret: its HMAC-SHA256, and the id of the pepper that is the key. */
export interface SecretDigest {
  pepperId: string;
  digest: Buffer;
}

/** What limits a key. Null: nothing. */
export interface KeyLimits {
  scopes: readonly string[] | null;
  expiresAt: Date | null;
}

/** Creates the public half of a credential: `prl_key_` and 22 base62 digits of 128 random bits. */
export function newApiKey(bits: Buffer = randomBytes(16)): string {
  return `prl_key_${base62(bits, 22)}`;
}

/** Creates an API secret: `prl_sec_`, 43 base62 digits of 256 random bits, and 6 of their CRC-32/ISO-HDLC. */
export function newApiSecret(bits: Buffer = randomBytes(32)): string {
  return `prl_sec_${withChecksum(base62(bits, 43))}`;
}

/** Creates an SDK secret: like an API secret, with the prefix `prl_sdk_`. */
export function newSdkSecret(bits: Buffer = randomBytes(32)): string {
  return `prl_sdk_${withChecksum(base62(bits, 43))}`;
}

/** Creates the name of an SDK secret: 22 base62 digits of 128 random bits. */
export function newKid(bits: Buffer = randomBytes(16)): string {
  return base62(bits, 22);
}

/**
 * Creates a token: a prefix, the id of its row (a UUID) as 32 hexadecimal digits, an underscore, and 43 base62 digits
 * of 256 random bits. The whole text is the secret.
 */
export function newToken(kind: TokenKind, id: string, bits: Buffer = randomBytes(32)): string {
  return `${tokenPrefixes[kind]}${id.replaceAll('-', '')}_${base62(bits, 43)}`;
}

export function digestOf(peppers: Keyring, secret: string): SecretDigest {
  return { pepperId: peppers.current.id, digest: mac(peppers.current.key, secret) };
}

/**
 * Returns whether the digest belongs to the secret, with any pepper of the ring. Always costs one HMAC and one
 * constant-time comparison, also without a digest.
 */
export function isSecretOf(peppers: Keyring, secret: string, kept: SecretDigest | undefined): boolean {
  const pepper = kept && peppers.keys.get(kept.pepperId);
  const given = mac(pepper ?? peppers.current.key, secret);
  const isEqual = equalBytes(given, kept?.digest ?? absentDigest);
  return isEqual && pepper !== undefined;
}

const absentDigest = randomBytes(32);

/**
 * Returns how the id of a pepper is stored for a key with limits. Replicas that do not know scopes and expiries find no
 * pepper of that name, and reject the key.
 */
export function limitedPepperId(pepperId: string): string {
  return `limited:${pepperId}`;
}

export function storedPepperId(pepperId: string, { scopes, expiresAt }: KeyLimits): string {
  return scopes === null && expiresAt === null ? pepperId : limitedPepperId(pepperId);
}

export function pepperIdOf(stored: string): string {
  // No id of a ring has a colon.
  return stored.slice(stored.indexOf(':') + 1);
}

function withChecksum(digits: string): string {
  return digits + checksumOf(digits);
}

function checksumOf(digits: string): string {
  return toBase62(BigInt(crc32(digits)), 6);
}

/** The bits as a number, big-endian, in base 62. */
function base62(bits: Buffer, length: number): string {
  return toBase62(BigInt(`0x${bits.toString('hex')}`), length);
}
