import { idOfToken } from '@parley/contracts/person-token';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { sessionLease } from '@parley/contracts/subjects';
import type { Leases } from '../leases/leases.ts';
import { isSecretOf } from '../rules/credential.ts';
import type { Tables } from '../schema.ts';
import { findPortalSession, type PortalSessionRow } from './session-store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  leases: Leases;
}

/**
 * Returns the live session of the portal whose token this is. For one that has ended, returns undefined when no gateway
 * accepts it.
 */
export async function findByPortalToken(
  { db, peppers, leases }: Dependencies,
  token: string,
): Promise<PortalSessionRow | undefined> {
  const id = idOfToken('portalSession', token);
  const session = id === undefined ? undefined : await findPortalSession(db, id);
  if (!session || !isSecretOf(peppers, token, session)) return undefined;
  if (!session.hasEnded) return session;
  // The process that has ended it may have stopped before it ended the leases.
  await leases.end(sessionLease(session.sessionId));
  return undefined;
}
