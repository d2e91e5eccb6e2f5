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

/** The bytes before an Ed25519 private key in PKCS #8, and their number before a public one in SPKI (RFC 8410). */
const privateDer = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicDerBytes = 12;

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
  const spki = createPublicKey(keyOf(privateKey)).export({ format: 'der', type: 'spki' });
  return publicPrefix + spki.subarray(publicDerBytes).toString('base64');
}

/**
 * Returns the value of `webhook-signature`: one `v1` HMAC-SHA256 per secret and one `v1a` Ed25519 signature per private
 * key, of `id.timestamp.body`, separated by spaces (Standard Webhooks 1.0). Several are valid during a rotation.
 */
export function signatures(
  { signingSecrets, privateKeys }: { signingSecrets: readonly string[]; privateKeys: readonly string[] },
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: Uint8Array },
): string {
  const start = `${id}.${timestampSeconds}.`;
  const symmetric = signingSecrets.map((secret) => {
    return `v1,${createHmac('sha256', hmacKeyOf(secret)).update(start).update(body).digest('base64')}`;
  });
  const asymmetric = privateKeys.map((privateKey) => {
    const signed = sign(null, Buffer.concat([Buffer.from(start), body]), keyOf(privateKey));
    return `v1a,${signed.toString('base64')}`;
  });
  return [...symmetric, ...asymmetric].join(' ');
}

const hmacKeysMax = 4_096;
const hmacKeys = new Map<string, KeyObject>();

/** Cached: creating a key object costs more than signing. */
function hmacKeyOf(secret: string): KeyObject {
  let key = hmacKeys.get(secret);
  if (!key) {
    key = createSecretKey(secret.slice(prefix.length), 'base64');
    if (hmacKeys.size >= hmacKeysMax) hmacKeys.clear();
    hmacKeys.set(secret, key);
  }
  return key;
}

function keyOf(privateKey: string): KeyObject {
  const seed = Buffer.from(privateKey.slice(privatePrefix.length), 'base64');
  return createPrivateKey({ key: Buffer.concat([privateDer, seed]), format: 'der', type: 'pkcs8' });
}
