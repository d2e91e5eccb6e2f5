import type { KeyObject } from 'node:crypto';
import { fromBase62, toBase62 } from '@parley/runtime/base62';
import { equalBytes, type Keyring, mac } from '@parley/runtime/config/keyring';

/** What a link opens. The token of one kind is not valid for the other. */
type LinkKind = 'interaction' | 'openLink';

/** The subject of a link: its id (a lower-case UUID) and the version of its link. */
export interface LinkSubject {
  id: string;
  linkVersion: number;
}

/** 128 bits in base 62. */
const wordLength = 22;
const linkVersionMax = 2 ** 31 - 1;
const form = /^([0-9A-Za-z]{22})([1-9A-Za-z][0-9A-Za-z]{0,5})([0-9A-Za-z]{22})$/;

/**
 * Returns the token of a link: id, link version and 128 bits of HMAC-SHA256 over both, each in base 62, because mail
 * programs cut links at other characters. The token is not stored. Raising the link version revokes it.
 */
export function linkToken(
  ring: Keyring,
  id: string,
  linkVersion: number,
  kind: LinkKind = 'interaction',
): string {
  const id128 = BigInt(`0x${id.replaceAll('-', '')}`);
  return (
    toBase62(id128, wordLength) +
    toBase62(BigInt(linkVersion)) +
    signature(ring.current.key, { id, linkVersion }, kind)
  );
}

/** Undefined when no key of the ring has signed the token. Takes equally long for each key. */
export function readLinkToken(
  ring: Keyring,
  token: string,
  kind: LinkKind = 'interaction',
): LinkSubject | undefined {
  const match = form.exec(token);
  if (!match?.[1] || !match[2] || !match[3]) return undefined;
  const id128 = fromBase62(match[1]);
  const linkVersion = Number(fromBase62(match[2]));
  if (id128 >> 128n !== 0n || linkVersion > linkVersionMax) return undefined;
  const id = uuid(id128);
  const given = Buffer.from(match[3]);
  let known = false;
  for (const key of ring.keys.values()) {
    if (equalBytes(given, Buffer.from(signature(key, { id, linkVersion }, kind)))) known = true;
  }
  return known ? { id, linkVersion } : undefined;
}

function signature(key: KeyObject, { id, linkVersion }: LinkSubject, kind: LinkKind): string {
  const prefix = kind === 'interaction' ? '' : `${kind}:`;
  const half = mac(key, `${prefix}${id}:${linkVersion}`).toString('hex', 0, 16);
  return toBase62(BigInt(`0x${half}`), wordLength);
}

function uuid(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
