import { changesBetween } from '@parley/audit/rows';
import { isApiKey } from '@parley/contracts/api-key';
import type {
  CreateWorkspaceRequest,
  IdentityAdminServiceService,
  Workspace,
} from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, invalidRequest, notFound } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { digestOf, newApiKey, newApiSecret, type SecretDigest } from './rules/credential.ts';
import type { Leases } from './leases/leases.ts';
import { operatorHandlers } from './people/operator-handlers.ts';
import type { Tables } from './schema.ts';
import {
  findWorkspace,
  findWorkspaces,
  insertKey,
  insertWorkspace,
  listWorkspaces,
} from './workspaces/store.ts';
import { replaceAllowedDomains } from './workspaces/allowed-domains.ts';
import { auditKey, auditWorkspace, keyFieldsOf } from './auditing.ts';
import { listApiKeys, makeRoomForKey, revokeAnyKey } from './keys/key-store.ts';
import { endLeasesOfMade, endMadeBeyond } from './makers/made.ts';
import { expandScopes, inOrder, keyNameFaults, scopeFaults } from './rules/key-power.ts';
import { workspaceFaults } from './rules/workspace-faults.ts';

/** Each call of a gateway carries the ids of the workspaces of its key, of 36 bytes each. */
export const workspacesPerKeyMax = 100;

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  leases: Leases;
}

export function identityAdminHandlers({
  db,
  peppers,
  leases,
}: Dependencies): Handlers<IdentityAdminServiceService> {
  return {
    createWorkspace: (request) => createWorkspace(db, request),

    listWorkspaces: async () => ({ workspaces: await listWorkspaces(db) }),

    replaceAllowedDomains: ({ id, allowedDomains }) => replaceAllowedDomains(db, id, allowedDomains),

    createKey: async ({ workspaceId, accessIds, scopes, name, expiresAt }) => {
      const faults = [...(name ? keyNameFaults(name) : []), ...scopeFaults(scopes)];
      if (expiresAt && expiresAt <= new Date()) {
        faults.push({ pointer: '/expiresAt', detail: 'Must be in the future' });
      }
      if (faults.length > 0) throw invalidRequest(faults);
      const workspaceIds = [...new Set([workspaceId, ...accessIds].map((id) => id.toLowerCase()))];
      if (workspaceIds.length > workspacesPerKeyMax) {
        throw invalidRequest([
          { pointer: '/accessIds', detail: `A key has at most ${workspacesPerKeyMax} workspaces` },
        ]);
      }
      const apiKey = newApiKey();
      const apiSecret = newApiSecret();
      const limits = { scopes: scopes.length > 0 ? inOrder(scopes) : null, expiresAt };
      const key = { apiKey, homeWorkspaceId: workspaceId, workspaceIds, name: name ?? '', ...limits };
      const isMade = workspaceIds.every(isUuid) && (await addKey(db, key, digestOf(peppers, apiSecret)));
      if (!isMade) throw await missingWorkspaces(db, workspaceIds);
      return { apiKey, apiSecret, scopes: expandScopes(limits.scopes) };
    },

    listKeys: async ({ workspaceId }) => {
      if (!isUuid(workspaceId)) throw notFound();
      const keys = await listApiKeys(db, workspaceId);
      if (keys.length === 0 && !(await findWorkspace(db, workspaceId))) throw notFound();
      return { keys };
    },

    ...operatorHandlers({ db, peppers, leases }),

    revokeKey: async ({ apiKey }) => {
      const key =
        isApiKey(apiKey) &&
        (await db.transaction().execute(async (trx) => {
          const { revoked, isNew } = await revokeAnyKey(trx, apiKey);
          if (revoked && isNew) await auditKey(trx, 'key.revoked', revoked);
          await endMadeBeyond(trx, { id: apiKey });
          return revoked;
        }));
      if (!key) throw notFound();
      // Repeated calls too: an earlier one may have failed before this line.
      await endLeasesOfMade(db, leases, apiKey);
      return key;
    },
  };
}

async function createWorkspace(
  db: Kysely<Tables>,
  { name, allowedDomains }: CreateWorkspaceRequest,
): Promise<Workspace> {
  const faults = workspaceFaults({ name, allowedDomains });
  if (faults.length > 0) throw invalidRequest(faults);
  return db.transaction().execute(async (trx) => {
    const workspace = await insertWorkspace(trx, { id: uuidv7(), name, allowedDomains });
    await auditWorkspace(trx, workspace.id, 'workspace.created');
    return workspace;
  });
}

/** Returns false, without a key, when a workspace does not exist. */
function addKey(
  db: Kysely<Tables>,
  key: Parameters<typeof insertKey>[1],
  digest: SecretDigest,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await makeRoomForKey(trx, key.homeWorkspaceId);
    const isInserted = await insertKey(trx, key, digest);
    const fields = keyFieldsOf({ ...key, scopes: expandScopes(key.scopes) });
    if (isInserted) await auditKey(trx, 'key.created', key, changesBetween({}, fields));
    return isInserted;
  });
}

/** Returns a 404 with the missing ids: the operator may see all workspaces. */
async function missingWorkspaces(db: Kysely<Tables>, ids: readonly string[]): Promise<AppError> {
  const known = new Set((await findWorkspaces(db, ids.filter(isUuid))).map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  return new AppError('not_found', 'not-found', `There is no workspace ${missing.join(', ')}`);
}
