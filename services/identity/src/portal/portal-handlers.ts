import { changesBetween } from '@parley/audit/rows';
import type { Grant } from '@parley/contracts/common/v1/grant';
import type {
  AuthenticatePortalSessionRequest,
  CreatePortalLinkRequest,
  IdentityServiceService,
  NewSession,
  PortalLink,
  PortalSession,
} from '@parley/contracts/identity/v1/identity';
import { portalLimits } from '@parley/contracts/limits';
import { idOfToken } from '@parley/contracts/person-token';
import { portalScopes } from '@parley/contracts/roles';
import { sessionLease } from '@parley/contracts/subjects';
import type { CallContext } from '@parley/rpc/context';
import type { Handlers } from '@parley/rpc/definition';
import { type GrantSigner, keyGrantSeconds } from '@parley/rpc/grants';
import { idPositions, readPage } from '@parley/runtime/cursor';
import { AppError, invalidRequest, notFound, signedOut } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely, Selectable } from 'kysely';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { auditPortalLink, auditPortalSession } from '../auditing.ts';
import { cacheableMs, type Leases } from '../leases/leases.ts';
import { type Caller, lockCaller } from '../people/caller.ts';
import { lockWorkspace } from '../people/member-store.ts';
import { invalidLink } from '../people/sign-in-link.ts';
import { digestOf, isSecretOf, newToken, type SecretDigest } from '../rules/credential.ts';
import { keyNameFaults, requireScopes } from '../rules/key-power.ts';
import type { PortalLinkTable, Tables } from '../schema.ts';
import {
  findUnusedLink,
  hasMaximum,
  insertPortalLink,
  listPortalLinks,
  revokePortalLink,
  usePortalLink,
} from './link-store.ts';
import { endSessionOfLink, insertPortalSession, recordPortalUse } from './session-store.ts';
import { findByPortalToken } from './portal-token.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  leases: Leases;
  grants: GrantSigner;
}

type PortalMethods =
  | 'createPortalLink'
  | 'listPortalLinks'
  | 'revokePortalLink'
  | 'openPortalLink'
  | 'authenticatePortalSession';

export function portalHandlers(
  dependencies: Dependencies,
): Pick<Handlers<IdentityServiceService>, PortalMethods> {
  const { db, peppers, leases } = dependencies;
  return {
    createPortalLink: async (request, { grant }) => {
      const faults = request.name === '' ? [] : keyNameFaults(request.name);
      if (faults.length > 0) throw invalidRequest(faults);
      const id = uuidv7();
      const code = newToken('portalLink', id);
      const link = await db
        .transaction()
        .execute((trx) => addLink(trx, grant, request, { id, ...digestOf(peppers, code) }));
      return { link, code };
    },

    listPortalLinks: async ({ workspaceId, ...page }) => {
      const { rows: links, nextCursor } = await readPage(idPositions, page, (after, limit) =>
        listPortalLinks(db, workspaceId, after?.id ?? null, limit),
      );
      return { links, nextCursor };
    },

    revokePortalLink: async ({ workspaceId, portalLinkId }, { grant }) => {
      const sessionId = await db.transaction().execute(async (trx) => {
        await lockCallerOfPortal(trx, grant, workspaceId);
        const revoked = await revokePortalLink(trx, workspaceId, portalLinkId);
        if (!revoked) throw notFound();
        if (!revoked.wasRevoked) await auditPortalLink(trx, 'portalLink.revoked', workspaceId, portalLinkId);
        return endSessionOfLink(trx, portalLinkId);
      });
      // Repeated calls too: an earlier one may have failed before this line.
      if (sessionId !== undefined) await leases.end(sessionLease(sessionId));
      return {};
    },

    openPortalLink: async ({ workspaceId, code }, context) => {
      const id = idOfToken('portalLink', code);
      const link = id === undefined ? undefined : await findUnusedLink(db, id);
      const isRight = isSecretOf(peppers, code, link);
      if (!link || !isRight || link.workspaceId !== workspaceId.toLowerCase()) throw invalidLink();
      return db.transaction().execute((trx) => openLink(trx, peppers, link, context));
    },

    authenticatePortalSession: (request) => authenticate(dependencies, request),
  };
}

async function authenticate(
  dependencies: Dependencies,
  request: AuthenticatePortalSessionRequest,
): Promise<PortalSession> {
  const { db, leases, grants } = dependencies;
  const { token, holder } = request;
  const session = await findByPortalToken(dependencies, token);
  if (!session) throw signedOut();
  const { sessionId, portalLinkId, name, workspaceId, webhookIds, personalData, expiresAt, leftMs } = session;
  if (!session.isUseRecorded) await recordPortalUse(db, sessionId);
  const isCached = isUuid(holder);
  // The session has ended, or its link was revoked, since it was read.
  if (isCached && !(await leases.takeForPortal(sessionId, holder)))
    return authenticate(dependencies, request);
  const holderOfGrant = { $case: 'portalLinkId', value: portalLinkId } as const;
  const grant = { workspaceIds: [workspaceId], holder: holderOfGrant, holderName: name, webhookIds };
  return {
    portalLinkId,
    name,
    workspaceId,
    webhookIds,
    scopes: portalScopes(personalData),
    cacheableMs: isCached ? Math.min(cacheableMs, leftMs) : 0,
    grant: grants.issue(grant, keyGrantSeconds),
    expiresAt,
  };
}

async function addLink(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  request: CreatePortalLinkRequest,
  made: { id: string } & SecretDigest,
): Promise<PortalLink> {
  const { workspaceId, callerVersion, name, webhookIds, personalData, expiresInSeconds } = request;
  if (!(await lockWorkspace(trx, workspaceId))) throw notFound();
  const caller = await lockCallerOfPortal(trx, grant, workspaceId, callerVersion);
  requireMayGive(caller, personalData);
  if (await hasMaximum(trx, workspaceId)) {
    const detail = `The workspace has ${portalLimits.perWorkspaceMax} portal links, the maximum`;
    throw new AppError('failed_precondition', 'too-many-portal-links', detail);
  }
  const row = {
    ...made,
    workspaceId: workspaceId.toLowerCase(),
    name,
    webhookIds: webhookIds.map((id) => id.toLowerCase()),
    personalData,
    createdBy: caller.id,
  };
  const link = await insertPortalLink(trx, row, { expiresInSeconds, endsAt: caller.expiresAt });
  const { expiresAt } = link;
  const changes = changesBetween({}, { name: name || null, webhookIds, personalData, expiresAt });
  await auditPortalLink(trx, 'portalLink.created', workspaceId, link.id, changes);
  return link;
}

/** Locks the key or person that changes links. Throws as `lockCaller`, with the scope that it needs. */
function lockCallerOfPortal(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  workspaceId: string,
  version?: number,
): Promise<Caller> {
  return lockCaller(trx, grant, { workspaceId, version, scope: 'webhooks:write' });
}

/** Throws `missing-scope` if a session of the link could do more than the caller. */
function requireMayGive(caller: Caller, personalData: boolean): void {
  requireScopes(caller, portalScopes(personalData), (scope) =>
    scope === 'personal-data:read' ? '/personalData' : caller.pointer,
  );
}

async function openLink(
  trx: Kysely<Tables>,
  peppers: Keyring,
  link: Selectable<PortalLinkTable>,
  context: CallContext,
): Promise<NewSession> {
  if (!(await usePortalLink(trx, link.id))) throw invalidLink();
  const id = uuidv7();
  const token = newToken('portalSession', id);
  const { expiresAt } = link;
  await insertPortalSession(trx, { id, portalLinkId: link.id, expiresAt, ...digestOf(peppers, token) });
  await auditPortalSession(trx, 'session.begun', link, context);
  return { token, expiresAt, joinedWorkspaceIds: [] };
}
