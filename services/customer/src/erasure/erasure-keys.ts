import { audit } from '@parley/audit/rows';
import type { ErasureKey } from '@parley/contracts/customer/v1/customer';
import { type Keyring, open, seal } from '@parley/runtime/config/keyring';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { calculateJwkThumbprint, CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import { insertKey, listPrivateKeys, lockKeys, retireOthers } from './erasure-key-store.ts';
import type { Tables } from '../schema.ts';

export interface ErasureKeys {
  db: Kysely<Tables>;
  keys: Keyring;
  logger: Logger;
}

/** Returns a compact JWS (RFC 7515, 7.1) over the JSON of a payload. */
export type Sign = (payload: object) => Promise<string>;

const alg = 'EdDSA';

interface SigningKey {
  kid: string;
  jwk: JWK;
}

/**
 * Returns the signer with the newest key that the keyring decrypts. Creates a key if there is none: the erasures of a
 * deployment must also end after the loss of an encryption key.
 */
export async function receiptSigner({ db, keys, logger }: ErasureKeys): Promise<Sign> {
  const { kid, jwk } =
    (await newestKey(db, keys)) ??
    (await db.transaction().execute(async (trx) => {
      await lockKeys(trx);
      return (await newestKey(trx, keys)) ?? (await createKey(trx, keys, logger));
    }));
  const key = await importJWK(jwk, alg);
  return (payload) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg, kid })
      .sign(key);
}

/** Creates the key that signs from now on. Deletes the private parts of all others. */
export async function rotateErasureKey({ db, keys, logger }: ErasureKeys): Promise<ErasureKey> {
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    const key = await createKey(trx, keys, logger);
    await retireOthers(trx, key.kid);
    const targets = [{ type: 'erasureKey', id: key.kid }];
    await audit(trx, { workspaceId: null, action: 'erasureKey.rotated', targets });
    return key;
  });
}

async function newestKey(db: Kysely<Tables>, keys: Keyring): Promise<SigningKey | undefined> {
  for (const { kid, x, sealed } of await listPrivateKeys(db)) {
    const d = tryOpen(keys, sealed, kid);
    if (d !== undefined) return { kid, jwk: keyPair(x, d) };
  }
  return undefined;
}

async function createKey(
  trx: Kysely<Tables>,
  keys: Keyring,
  logger: Logger,
): Promise<SigningKey & ErasureKey> {
  const { privateKey } = await generateKeyPair(alg, { crv: 'Ed25519', extractable: true });
  const { x = '', d = '' } = await exportJWK(privateKey);
  const jwk = keyPair(x, d);
  const kid = await calculateJwkThumbprint(jwk);
  const createdAt = await insertKey(trx, { kid, x, sealed: seal(keys, d, boundTo(kid)) });
  logger.info({ kid }, 'erasure key created');
  return { kid, x, createdAt, jwk };
}

function keyPair(x: string, d: string): JWK {
  return { kty: 'OKP', crv: 'Ed25519', x, d };
}

function tryOpen(keys: Keyring, sealed: string, kid: string): string | undefined {
  try {
    return open(keys, sealed, boundTo(kid));
  } catch {
    return undefined;
  }
}

// As `sealedColumns` binds it.
function boundTo(kid: string): string {
  return `erasure-key:${kid}`;
}
