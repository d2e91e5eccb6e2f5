import { idOfToken } from '@parley/contracts/person-token';
import type { Keyring } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import { isSecretOf } from '../rules/credential.ts';
import type { Tables } from '../schema.ts';
import { findLivePortalSession, type PortalSessionRow } from './session-store.ts';

/** Returns the live session of the portal whose token this is. */
export async function findByPortalToken(
  db: Kysely<Tables>,
  peppers: Keyring,
  token: string,
): Promise<PortalSessionRow | undefined> {
  const id = idOfToken('portalSession', token);
  const session = id === undefined ? undefined : await findLivePortalSession(db, id);
  return isSecretOf(peppers, token, session) ? session : undefined;
}
