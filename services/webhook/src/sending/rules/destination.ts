import type { Keyring } from '@parley/runtime/config/keyring';
import { openHeaders } from './header-fields.ts';
import { receiverAddressOf, type Destination } from './request.ts';
import { openSecret } from './secrets.ts';
import { signerOf } from './signing.ts';

export interface ReceiverTarget {
  url: string;
  /** Encrypted, as the header fields and the secrets are. */
  secretToken: string;
  headers: string | null;
  /** Shared secrets, then private keys, newest first. `expiresAtMs` is by the database clock; null: never. */
  secrets: readonly { kind: 'hmac' | 'ed25519'; secret: string; expiresAtMs: number | null }[];
}

interface OpenTarget {
  /** Returns the destination with the keys that have not expired. `nowMs` is by the database clock. */
  destinationAt(nowMs: number): Destination;
  /** Removed from logged excerpts, since the receiver can return them. */
  secrets: readonly string[];
}

export interface OpenTargetOptions {
  keys: Keyring;
  secretTokenParameter: string;
}

const openTargets = new WeakMap<ReceiverTarget, OpenTarget>();

/** Decrypts a target of a webhook once. Throws if the keyring no longer has a key. */
export function openTarget(
  webhookId: string,
  target: ReceiverTarget,
  options: OpenTargetOptions,
): OpenTarget {
  const known = openTargets.get(target);
  if (known) return known;
  const { keys, secretTokenParameter } = options;
  const secretToken = openSecret(keys, 'secret-token', webhookId, target.secretToken);
  const headers = openHeaders(keys, webhookId, target.headers);
  const address = receiverAddressOf(target.url, secretToken, secretTokenParameter);
  const signing = target.secrets.map(({ kind, secret: sealed, expiresAtMs }) => {
    const secret = openSecret(keys, kind === 'hmac' ? 'signing-secret' : 'private-key', webhookId, sealed);
    return { kind, secret, signer: signerOf(secret), expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY };
  });
  const shared = signing.filter(({ kind }) => kind === 'hmac').map(({ secret }) => secret);
  const opened = {
    destinationAt: (nowMs: number) => {
      const valid = signing.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
      return { ...address, headers, signers: valid.map(({ signer }) => signer) };
    },
    secrets: secretsToRedact(secretToken, shared, headers),
  };
  openTargets.set(target, opened);
  return opened;
}

/**
 * Returns the secret token, the signing secrets with and without `whsec_`, and the header values (names in lower case).
 * In header values also: credentials after a scheme, decoded `Basic` credentials, their password, and each cookie.
 */
export function secretsToRedact(
  secretToken: string,
  signingSecrets: readonly string[],
  headers: Readonly<Record<string, string>>,
): string[] {
  const keys = signingSecrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')]);
  const cookies = (headers['cookie'] ?? '')
    .split(';')
    .map((pair) => pair.replace(/^[^=]*=\s*"?|"?\s*$/g, ''));
  return [secretToken, ...keys, ...Object.values(headers).flatMap(credentialsIn), ...cookies];
}

function credentialsIn(field: string): string[] {
  // HTTP removes spaces around a value.
  const value = field.trim();
  const [, scheme = '', credentials] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  if (credentials === undefined) return [value];
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(credentials, 'base64').toString() : '';
  return [value, credentials, decoded, decoded.slice(decoded.indexOf(':') + 1)];
}
