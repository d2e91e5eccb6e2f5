import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase62 } from '@parley/runtime/base62';
import { equalBytes, type Keyring, mac } from '@parley/runtime/keyring';

const secretForm = /^prl_sec_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** What is kept of a secret: its HMAC-SHA256 and the id of the pepper that is the key. */
export interface SecretDigest {
  pepperId: string;
  digest: Buffer;
}

/** A new public half of a credential, `prl_key_<22 base62>`, of 128 random bits. */
export function newApiKey(bits: Buffer = randomBytes(16)): string {
  return `prl_key_${base62(bits, 22)}`;
}

/** A new API secret: `prl_sec_`, 43 base62 digits of 256 random bits, 6 of their CRC-32/ISO-HDLC. */
export function newApiSecret(bits: Buffer = randomBytes(32)): string {
  return `prl_sec_${withChecksum(base62(bits, 43))}`;
}

/** A new SDK secret: built as an API secret is, with the prefix `prl_sdk_`. */
export function newSdkSecret(bits: Buffer = randomBytes(32)): string {
  return `prl_sdk_${withChecksum(base62(bits, 43))}`;
}

/** A new name for an SDK secret: 22 base62 digits of 128 random bits. */
export function newKid(bits: Buffer = randomBytes(16)): string {
  return base62(bits, 22);
}

/** Whether the text has the form of an API secret, checksum included. That says nothing of who knows it. */
export function isApiSecret(text: string): boolean {
  const [, digits, checksum] = secretForm.exec(text) ?? [];
  return digits !== undefined && checksum === checksumOf(digits);
}

/** The digest to keep of a new secret, under the current pepper. */
export function digestOf(peppers: Keyring, secret: string): SecretDigest {
  return { pepperId: peppers.current.id, digest: mac(peppers.current.key, secret) };
}

/**
 * Whether the secret is the one that the digest was made of, under whichever pepper of the ring. Costs one HMAC and one
 * constant-time comparison in any case, also when there is nothing to compare with.
 */
export function isSecretOf(peppers: Keyring, secret: string, kept: SecretDigest | undefined): boolean {
  const pepper = kept && peppers.keys.get(kept.pepperId);
  const given = mac(pepper ?? peppers.current.key, secret);
  const isEqual = equalBytes(given, kept?.digest ?? nobodysDigest);
  return isEqual && pepper !== undefined;
}

const nobodysDigest = randomBytes(32);

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
