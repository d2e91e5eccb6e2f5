import { audit } from '@parley/audit/rows';
import { isApiKey, isApiSecret } from '@parley/contracts/api-key';
import type {
  AuthenticateRequest,
  IdentityServiceService,
  Principal,
} from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { type GrantSigner, keyGrantSeconds, noGrant, sessionGrantSeconds } from '@parley/rpc/grants';
import { AppError, existing, invalidCredentials, notFound, unavailable } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Kysely } from 'kysely';
import { validate as isUuid } from 'uuid';
import { replaceAllowedDomains } from './workspaces/allowed-domains.ts';
import { brandingHandlers } from './workspaces/branding-handlers.ts';
import { auditKey } from './auditing.ts';
import { keyHandlers } from './keys/key-handlers.ts';
import { digestOf, isSecretOf, newApiSecret } from './rules/credential.ts';
import { expandScopes } from './rules/key-power.ts';
import { mintCustomerToken, verifyCustomerToken } from './rules/customer-token.ts';
import { cacheableMs, type Leases } from './leases/leases.ts';
import { memberHandlers } from './people/member-handlers.ts';
import type { Provider } from './people/provider.ts';
import { sessionHandlers } from './people/sessions.ts';
import { signInHandlers } from './people/sign-in-handlers.ts';
import { portalHandlers } from './portal/portal-handlers.ts';
import type { Tables } from './schema.ts';
import { sdkSecrets } from './workspaces/sdk-secrets.ts';
import { findKey, findWorkspace, findWorkspaces, recordUse, replaceDigest } from './workspaces/store.ts';

type IdentityHandlers = Handlers<IdentityServiceService>;

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  encryptionKeys: Keyring;
  leases: Leases;
  grants: GrantSigner;
  /** Undefined: people sign in by links. */
  provider: Provider | undefined;
  logger: Logger;
}

export function identityHandlers(dependencies: Dependencies): IdentityHandlers {
  const { db } = dependencies;
  return {
    getWorkspace: async ({ id }) => existing(await findWorkspace(db, id)),

    updateWorkspace: ({ workspaceId, allowedDomains }) =>
      replaceAllowedDomains(db, workspaceId, allowedDomains),

    batchGetWorkspaces: async ({ workspaceIds }) => ({
      workspaces: await findWorkspaces(db, workspaceIds.filter(isUuid)),
    }),

    ...credentialHandlers(dependencies),
    ...keyHandlers(dependencies),
    ...sessionHandlers(dependencies),
    ...signInHandlers(dependencies),
    ...memberHandlers(dependencies),
    ...portalHandlers(dependencies),
    ...customerTokenHandlers(dependencies),
    ...brandingHandlers(db),

    listGrantKeys: async () => ({ keys: dependencies.grants.keys, now: new Date() }),
  };
}

function credentialHandlers(
  dependencies: Dependencies,
): Pick<IdentityHandlers, 'authenticate' | 'rotateSecret'> {
  const { db, peppers, leases } = dependencies;
  return {
    authenticate: (request) => authenticate(dependencies, request),

    rotateSecret: async ({ workspaceId, apiKey, version }, { grant }) => {
      // A key rotates itself only.
      if (grant?.holder?.value !== apiKey) throw noGrant('it is of another key');
      const secret = newApiSecret();
      const isRotated = await db.transaction().execute(async (trx) => {
        const isReplaced = await replaceDigest(
          trx,
          workspaceId,
          { apiKey, version },
          digestOf(peppers, secret),
        );
        if (isReplaced) await auditKey(trx, 'key.rotated', { homeWorkspaceId: workspaceId, apiKey });
        return isReplaced;
      });
      if (isRotated) {
        await leases.end(apiKey);
        return { secret };
      }
      const key = await findKey(db, apiKey);
      const hasChanged = key?.homeWorkspaceId === workspaceId.toLowerCase() && key.version !== version;
      if (!key || key.isRevoked || hasChanged) {
        // The process that has changed it may have stopped before it ended the leases.
        await leases.end(apiKey);
        throw invalidCredentials();
      }
      throw key.workspaceIds.includes(workspaceId.toLowerCase()) ? notHomeWorkspace() : notFound();
    },
  };
}

async function authenticate(dependencies: Dependencies, request: AuthenticateRequest): Promise<Principal> {
  const { db, peppers, leases, grants } = dependencies;
  const { apiKey, apiSecret, holder, checksScopes } = request;
  const isWellFormed = isApiKey(apiKey) && isApiSecret(apiSecret);
  const key = isWellFormed ? await findKey(db, apiKey) : undefined;
  const isRight = isSecretOf(peppers, apiSecret, key);
  if (!key || !isRight) throw invalidCredentials();
  if (key.isRevoked) {
    // The process that has revoked it may have stopped before it ended the leases.
    await leases.end(apiKey);
    throw invalidCredentials();
  }
  // A gateway that does not know scopes would allow everything. Another replica may know them.
  if (key.scopes && !checksScopes) throw unavailable(new Error('the caller does not check scopes'));
  const { homeWorkspaceId, workspaceIds, version, leftMs } = key;
  const holderOfGrant = { $case: 'apiKey', value: apiKey } as const;
  const { name, expiresAt } = key;
  const grant = grants.issue({ workspaceIds, holder: holderOfGrant, holderName: name }, keyGrantSeconds);
  const scopes = expandScopes(key.scopes);
  const owner = { apiKey, homeWorkspaceId, workspaceIds, version, grant, scopes, name, expiresAt };
  const isCached = isUuid(holder);
  // The key has changed or expired since it was read.
  if (isCached && !(await leases.take({ apiKey, version }, holder)))
    return authenticate(dependencies, request);
  if (!key.isUseRecorded) await recordUse(db, key);
  // The holder counts from before this call, so it does not rely on the key beyond its expiry.
  return { ...owner, cacheableMs: isCached ? Math.min(cacheableMs, leftMs ?? cacheableMs) : 0 };
}

function customerTokenHandlers({
  db,
  encryptionKeys,
  grants,
}: Dependencies): Pick<IdentityHandlers, 'rotateSdkSecret' | 'verifyCustomerToken' | 'mintCustomerToken'> {
  const secrets = sdkSecrets(db, encryptionKeys);
  return {
    rotateSdkSecret: async ({ workspaceId }) => existing(await secrets.rotate(workspaceId)),

    verifyCustomerToken: async ({ workspaceId, token }) => {
      const findSecret = (kid: string): Promise<string | undefined> => secrets.find(workspaceId, kid);
      const customerId = await verifyCustomerToken({ token, workspaceId, findSecret, now: new Date() });
      const holder = { $case: 'customerId', value: customerId } as const;
      const grant = grants.issue({ workspaceIds: [workspaceId], holder }, sessionGrantSeconds);
      return { customerId, grant };
    },

    mintCustomerToken: async ({ workspaceId, customerId }) => {
      const targets = [{ type: 'customer', id: customerId }];
      const record = (on: typeof db): Promise<void> =>
        audit(on, { workspaceId, action: 'customerToken.created', targets });
      const key = existing(await secrets.newest(workspaceId, record));
      return mintCustomerToken(key, workspaceId, customerId, new Date());
    },
  };
}

function notHomeWorkspace(): AppError {
  return new AppError(
    'permission_denied',
    'not-home-workspace',
    'A key is rotated in the workspace that it was created for',
  );
}
