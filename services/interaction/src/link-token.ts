import type { KeyObject } from 'node:crypto';
import { equalBytes, type Keyring, mac } from '@parley/runtime/keyring';

/** What a link is about: an interaction's id (a UUID in its usual spelling) and the version of its link. */
export interface LinkSubject {
  id: string;
  linkVersion: number;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const valueOf = new Map([...alphabet].map((digit, value) => [digit, BigInt(value)]));
/** So many digits at once fit a number exactly, which is divided faster than a bigint. */
const chunkLength = 8;
const chunk = 62n ** BigInt(chunkLength);
/** 128 bits in base 62. */
const wordLength = 22;
const linkVersionMax = 2 ** 31 - 1;
const form = /^([0-9A-Za-z]{22})([1-9A-Za-z][0-9A-Za-z]{0,5})([0-9A-Za-z]{22})$/;

/**
 * The token of a link: id, link version and 128 bits of HMAC-SHA256 over both, each in base 62. Letters and digits
 * only, since mail programs cut links at anything else. Nothing of it is stored: it can be made anew at any time, and
 * raising the link version revokes it.
 */
export function linkToken(ring: Keyring, id: string, linkVersion: number): string {
  const id128 = BigInt(`0x${id.replaceAll('-', '')}`);
  return (
    base62(id128).padStart(wordLength, '0') +
    base62(BigInt(linkVersion)) +
    signature(ring.current.key, id, linkVersion)
  );
}

/** What the token is about, or undefined when none of the keys has made it. Takes as long for any key of the ring. */
export function readLinkToken(ring: Keyring, token: string): LinkSubject | undefined {
  const match = form.exec(token);
  if (!match?.[1] || !match[2] || !match[3]) return undefined;
  const id128 = fromBase62(match[1]);
  const linkVersion = Number(fromBase62(match[2]));
  if (id128 >> 128n !== 0n || linkVersion > linkVersionMax) return undefined;
  const id = uuid(id128);
  const given = Buffer.from(match[3]);
  let known = false;
  for (const key of ring.keys.values()) {
    if (equalBytes(given, Buffer.from(signature(key, id, linkVersion)))) known = true;
  }
  return known ? { id, linkVersion } : undefined;
}

function signature(key: KeyObject, id: string, linkVersion: number): string {
  const half = mac(key, `${id}:${linkVersion}`).toString('hex', 0, 16);
  return base62(BigInt(`0x${half}`)).padStart(wordLength, '0');
}

function base62(value: bigint): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= chunk) {
    let low = Number(rest % chunk);
    for (let place = 0; place < chunkLength; place += 1) {
      digits = alphabet.charAt(low % 62) + digits;
      low = Math.floor(low / 62);
    }
  }
  return digits.replace(/^0+/, '') || '0';
}

function fromBase62(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 62n + (valueOf.get(digit) ?? 0n);
  return value;
}

function uuid(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
