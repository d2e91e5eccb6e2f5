import { type Keyring, open, seal } from '@parley/runtime/keyring';
import { v7 as uuidv7 } from 'uuid';

/** What a target's query carries, what signatures are made with, and header fields, which often are credentials. */
type SecretKind = 'secret-token' | 'signing-secret' | 'private-key' | 'headers';

/** Seals a secret of a webhook; it opens as this kind for this webhook only. */
export function sealSecret(keys: Keyring, kind: SecretKind, webhookId: string, secret: string): string {
  return seal(keys, secret, `${kind}:${webhookId}`);
}

/** Opens what `sealSecret` made. Throws when the key has left the keyring or the text was changed. */
export function openSecret(keys: Keyring, kind: SecretKind, webhookId: string, sealed: string): string {
  return open(keys, sealed, `${kind}:${webhookId}`);
}

/** Seals a new signing secret or private key of a webhook, under an id of its own. */
export function sealNew(keys: Keyring, kind: SecretKind, webhookId: string, secret: string) {
  return { id: uuidv7(), secret: sealSecret(keys, kind, webhookId, secret) };
}
