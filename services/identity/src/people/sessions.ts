import type {
  AuthenticateSessionRequest,
  EndSessionResponse,
  IdentityServiceService,
  NewSession,
  SignedIn,
} from '@parley/contracts/identity/v1/identity';
import { idOfToken } from '@parley/contracts/person-token';
import { roleScopes } from '@parley/contracts/roles';
import { sessionLease } from '@parley/contracts/subjects';
import type { CallContext } from '@parley/rpc/context';
import type { Handlers } from '@parley/rpc/definition';
import { type GrantSigner, keyGrantSeconds } from '@parley/rpc/grants';
import { signedOut } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { auditPortalSession, auditSession } from '../auditing.ts';
import { cacheableMs, type Leases } from '../leases/leases.ts';
import { endLeasesOfMade } from '../makers/made.ts';
import { findByPortalToken } from '../portal/portal-token.ts';
import type { PortalSessionRow } from '../portal/session-store.ts';
import { digestOf, isSecretOf, newToken } from '../rules/credential.ts';
import type { Tables } from '../schema.ts';
import { listMemberships } from './member-store.ts';
import {
  endSession,
  findSession,
  insertSession,
  listSessionIds,
  recordSessionUse,
  type SessionRow,
} from './session-store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  leases: Leases;
  grants: GrantSigner;
}

type SessionMethods = 'authenticateSession' | 'endSession';

export function sessionHandlers(
  dependencies: Dependencies,
): Pick<Handlers<IdentityServiceService>, SessionMethods> {
  const { db, leases, grants } = dependencies;
  const authenticateSession = async ({ token, holder }: AuthenticateSessionRequest): Promise<SignedIn> => {
    const session = await findByToken(dependencies, token);
    const { sessionId, personId, name, email, version, memberships, expiresAt, leftMs } = session;
    const { isOperator } = session;
    if (!session.isUseRecorded) await recordSessionUse(db, session);
    const isCached = isUuid(holder);
    // The person has changed or the session has ended since it was read.
    if (isCached && !(await leases.takeForSession({ sessionId, version }, holder))) {
      return authenticateSession({ token, holder });
    }
    const workspaceIds = memberships.map(({ workspaceId }) => workspaceId);
    const holderOfGrant = { $case: 'personId', value: personId } as const;
    return {
      personId,
      name,
      email: email ?? '',
      memberships: memberships.map(({ workspaceId, role, personalData }) => ({
        workspaceId,
        role,
        scopes: roleScopes(role, personalData),
      })),
      version,
      isOperator,
      cacheableMs: isCached ? Math.min(cacheableMs, leftMs) : 0,
      grant: grants.issue({ workspaceIds, holder: holderOfGrant, holderName: name }, keyGrantSeconds),
      expiresAt,
    };
  };

  return {
    authenticateSession,

    endSession: async ({ token }, context) => {
      const ofPortal = await findByPortalToken(dependencies, token);
      if (ofPortal) return endPortalSession(db, leases, ofPortal, context);
      const { sessionId, personId, name, memberships } = await findByToken(dependencies, token);
      await db.transaction().execute(async (trx) => {
        if (!(await endSession(trx, sessionId))) return;
        await auditSession(trx, 'session.ended', { id: personId, name }, context, memberships);
      });
      await leases.end(sessionLease(sessionId));
      return {};
    },
  };
}

/** Returns the session of a token. Throws 401 without a live one: if it has ended, when no gateway accepts it. */
async function findByToken({ db, peppers, leases }: Dependencies, token: string): Promise<SessionRow> {
  const id = idOfToken('session', token);
  const session = id === undefined ? undefined : await findSession(db, id);
  const isRight = isSecretOf(peppers, token, session);
  if (!session || !isRight) throw signedOut();
  if (!session.hasEnded) return session;
  // The process that has ended it may have stopped before it ended the leases.
  await leases.end(sessionLease(session.sessionId));
  throw signedOut();
}

async function endPortalSession(
  db: Kysely<Tables>,
  leases: Leases,
  { sessionId, portalLinkId: id, name, workspaceId }: PortalSessionRow,
  context: CallContext,
): Promise<EndSessionResponse> {
  await db.transaction().execute(async (trx) => {
    if (!(await endSession(trx, sessionId))) return;
    await auditPortalSession(trx, 'session.ended', { id, name, workspaceId }, context);
  });
  await leases.end(sessionLease(sessionId));
  return {};
}

/** Begins a session of a person, after its memberships are made. */
export async function beginSession(
  trx: Kysely<Tables>,
  peppers: Keyring,
  person: { id: string; name: string },
  context: CallContext,
): Promise<NewSession> {
  const id = uuidv7();
  const token = newToken('session', id);
  const session = { id, personId: person.id, ...digestOf(peppers, token) };
  const expiresAt = await insertSession(trx, session);
  await auditSession(trx, 'session.begun', person, context, await listMemberships(trx, person.id));
  return { token, expiresAt, joinedWorkspaceIds: [] };
}

/**
 * Call it after a change of a person is committed. Resolves as `Leases.end`, for all its sessions, and for what it has
 * made and could not make any more.
 */
export async function endLeasesOf(db: Kysely<Tables>, leases: Leases, personId: string): Promise<void> {
  const ofPerson = listSessionIds(db, personId).then((ids) =>
    Promise.all(ids.map((id) => leases.end(sessionLease(id)))),
  );
  await Promise.all([
    ofPerson.catch((error: unknown) => leases.expire(error)),
    endLeasesOfMade(db, leases, personId),
  ]);
}
