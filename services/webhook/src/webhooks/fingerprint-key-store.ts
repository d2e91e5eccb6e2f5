import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Keyring, mac, open, seal } from '@parley/runtime/keyring';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

const bound = 'fingerprint-key';

/**
 * The key of `secretTokenFingerprint`. It is made when there is none yet and is the same from then on, whatever keys come into
 * the keyring or go. Rejects when the key that it was sealed under has gone.
 */
export async function fingerprintKey(db: Kysely<Tables>, keys: Keyring): Promise<Buffer> {
  // From the key that copies of the version before use, so that what they have written and still write is found.
  const oldest = [...keys.keys.values()].at(-1) ?? keys.current.key;
  const made = mac(oldest, 'secret-token-fingerprint').toString('base64');
  await sql`
    ${acrossWorkspaces('one key for all')}
    insert into fingerprint_key (sealed) values (${seal(keys, made, bound)}) on conflict do nothing`.execute(
    db,
  );
  const { rows } = await sql<{ sealed: string }>`
    ${acrossWorkspaces('one key for all')}
    select sealed from fingerprint_key`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('there is no key for fingerprints');
  return Buffer.from(open(keys, row.sealed, bound), 'base64');
}
