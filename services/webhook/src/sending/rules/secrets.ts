import { type Keyring, open, seal } from '@parley/runtime/config/keyring';
import { v7 as uuidv7 } from 'uuid';

/** The secret token of the URL, the keys of signatures, and header fields, which often are credentials. */
type SecretKind = 'secret-token' | 'signing-secret' | 'private-key' | 'headers';

/** Encrypts a secret of a webhook. It can be decrypted only as this kind and for this webhook. */
export function sealSecret(keys: Keyring, kind: SecretKind, webhookId: string, secret: string): string {
  return seal(keys, secret, `${kind}:${webhookId}`);
}

/** Decrypts a result of `sealSecret`. Throws if the keyring no longer has the key, or the text was changed. */
export function openSecret(keys: Keyring, kind: SecretKind, webhookId: string, sealed: string): string {
  return open(keys, sealed, `${kind}:${webhookId}`);
}

/** As `openSecret`, but returns undefined for a text that cannot be decrypted, which an operator has to replace. */
export function openIfPossible(
  keys: Keyring,
  kind: SecretKind,
  webhookId: string,
  sealed: string,
): string | undefined {
  try {
    return openSecret(keys, kind, webhookId, sealed);
  } catch {
    return undefined;
  }
}

/** Returns the secret encrypted, with a new id. */
export function sealNew(keys: Keyring, kind: SecretKind, webhookId: string, secret: string) {
  return { id: uuidv7(), secret: sealSecret(keys, kind, webhookId, secret) };
}
