import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and base64 of 32 random bytes (Standard Webhooks). */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * The value of `webhook-signature`: one `v1` HMAC-SHA256 over `id.timestamp.body` per secret, separated by spaces, so
 * that a receiver may know any of them while a secret is rotated (Standard Webhooks 1.0).
 */
export function signatures(
  secrets: readonly string[],
  message: { id: string; timestampSeconds: number; body: Uint8Array },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      const hmac = createHmac('sha256', key)
        .update(`${message.id}.${message.timestampSeconds}.`)
        .update(message.body);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');
}
