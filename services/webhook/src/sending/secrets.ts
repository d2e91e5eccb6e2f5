import { type Keyring, open, seal } from '@parley/runtime/keyring';
import { v7 as uuidv7 } from 'uuid';
import { newPrivateKey } from './signing.ts';

/** What its target's query carries, what its signatures are made with, and header fields, which often are credentials. */
type SecretKind = 'secret-token' | 'signing-secret' | 'private-key' | 'headers';

/** Seals a secret of a webhook; it opens as this kind for this webhook only. */
export function sealSecret(keys: Keyring, kind: SecretKind, webhookId: string, secret: string): string {
  return seal(keys, secret, `${kind}:${webhookId}`);
}

/** A new private key for a webhook, sealed, under an id of its own. */
export function newSealedPrivateKey(keys: Keyring, webhookId: string): { id: string; secret: string } {
  return { id: uuidv7(), secret: sealSecret(keys, 'private-key', webhookId, newPrivateKey()) };
}

const openedMax = 4_096;
/** What was opened lately, but for header fields, which may be long: a delivery needs two, and each costs as much as to sign. */
const opened = new WeakMap<Keyring, Map<string, string>>();

/** Opens what `sealSecret` made. Throws when the key has left the keyring or the text was changed. */
export function openSecret(keys: Keyring, kind: SecretKind, webhookId: string, sealed: string): string {
  const purpose = `${kind}:${webhookId}`;
  if (kind === 'headers') return open(keys, sealed, purpose);
  const name = `${purpose}:${sealed}`;
  let known = opened.get(keys);
  if (!known) opened.set(keys, (known = new Map()));
  let secret = known.get(name);
  if (secret === undefined) {
    secret = open(keys, sealed, purpose);
    if (known.size >= openedMax) known.clear();
    known.set(name, secret);
  }
  return secret;
}
