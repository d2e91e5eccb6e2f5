import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** How many valid secrets of a kind sign a request: servers limit the size of headers. */
export const signingSecretsMax = 10;

const prefix = 'whsec_';
const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';

/** The bytes before an Ed25519 private key in PKCS #8 (RFC 8410). */
const privateDer = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns a new signing secret: `whsec_` and base64 of 32 random bytes (Standard Webhooks). */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Returns a new Ed25519 private key: `whsk_` and base64 of its 32 bytes (RFC 8032). */
export function newPrivateKey(): string {
  return privatePrefix + randomBytes(32).toString('base64');
}

/** Returns the public key of a private one: `whpk_` and base64 of its 32 bytes. */
export function publicKeyOf(privateKey: string): string {
  const { x = '' } = createPublicKey(keyOf(privateKey)).export({ format: 'jwk' });
  return publicPrefix + Buffer.from(x, 'base64url').toString('base64');
}

/** Returns one signature of `start` followed by `body`. */
export type Signer = (start: string, body: Uint8Array) => string;

/**
 * Returns the signer of a secret: `v1` HMAC-SHA256 for `whsec_...`, `v1a` Ed25519 for `whsk_...` (Standard Webhooks
 * 1.0). Creating its key object costs more than signing.
 */
export function signerOf(secret: string): Signer {
  if (secret.startsWith(privatePrefix)) {
    const key = keyOf(secret);
    return (start, body) =>
      `v1a,${sign(null, Buffer.concat([Buffer.from(start), body]), key).toString('base64')}`;
  }
  const key = createSecretKey(secret.slice(prefix.length), 'base64');
  return (start, body) => `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`;
}

/**
 * Returns the value of `webhook-signature`: the signatures of `id.timestamp.body`, separated by spaces. Several are
 * valid during a rotation.
 */
export function signatures(
  signers: readonly Signer[],
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: Uint8Array },
): string {
  const start = `${id}.${timestampSeconds}.`;
  return signers.map((signer) => signer(start, body)).join(' ');
}

function keyOf(privateKey: string): KeyObject {
  const seed = Buffer.from(privateKey.slice(privatePrefix.length), 'base64');
  return createPrivateKey({ key: Buffer.concat([privateDer, seed]), format: 'der', type: 'pkcs8' });
}
