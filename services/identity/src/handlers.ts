import { isApiKey } from '@parley/contracts/api-key';
import type {
  AuthenticateRequest,
  IdentityServiceService,
  Principal,
} from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, invalidCredentials, notFound } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import { validate as isUuid } from 'uuid';
import { brandingHandlers } from './branding-handlers.ts';
import { digestOf, isApiSecret, isSecretOf, newApiSecret } from './credential.ts';
import { mintCustomerToken, verifyCustomerToken } from './customer-token.ts';
import { cacheableMs, type Leases } from './leases.ts';
import type { Tables } from './schema.ts';
import { sdkSecrets } from './sdk-secrets.ts';
import { findLiveKey, findWorkspace, findWorkspaces, replaceDigest } from './store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  encryptionKeys: Keyring;
  leases: Leases;
}

/** What each RPC of the identity service means. */
export function identityHandlers({
  db,
  peppers,
  encryptionKeys,
  leases,
}: Dependencies): Handlers<IdentityServiceService> {
  const secrets = sdkSecrets(db, encryptionKeys);

  const authenticate = async ({ apiKey, apiSecret, holder }: AuthenticateRequest): Promise<Principal> => {
    const isWellFormed = isApiKey(apiKey) && isApiSecret(apiSecret);
    const key = isWellFormed ? await findLiveKey(db, apiKey) : undefined;
    const isRight = isSecretOf(peppers, apiSecret, key);
    if (!key || !isRight) throw invalidCredentials();
    const { homeWorkspaceId, workspaceIds, version } = key;
    const owner = { apiKey, homeWorkspaceId, workspaceIds, version };
    if (!isUuid(holder)) return { ...owner, cacheableMs: 0 };
    if (await leases.take({ apiKey, version }, holder)) return { ...owner, cacheableMs };
    // The key has changed since it was read.
    return authenticate({ apiKey, apiSecret, holder });
  };

  return {
    authenticate,

    getWorkspace: async ({ id }) => {
      const workspace = isUuid(id) && (await findWorkspace(db, id));
      if (!workspace) throw notFound();
      return workspace;
    },

    batchGetWorkspaces: async ({ ids }) => ({
      workspaces: await findWorkspaces(
        db,
        ids.filter((id) => isUuid(id)),
      ),
    }),

    rotateSecret: async ({ workspaceId, apiKey, version }) => {
      if (!isUuid(workspaceId)) throw notFound();
      const secret = newApiSecret();
      if (await replaceDigest(db, workspaceId, { apiKey, version }, digestOf(peppers, secret))) {
        await leases.end(apiKey);
        return { secret };
      }
      const key = await findLiveKey(db, apiKey);
      if (!key || (key.homeWorkspaceId === workspaceId.toLowerCase() && key.version !== version)) {
        throw invalidCredentials();
      }
      throw key.workspaceIds.includes(workspaceId.toLowerCase()) ? notHomeWorkspace() : notFound();
    },

    rotateSdkSecret: async ({ workspaceId }) => {
      const made = isUuid(workspaceId) && (await secrets.rotate(workspaceId));
      if (!made) throw notFound();
      return made;
    },

    verifyCustomerToken: async ({ workspaceId, token }) => {
      const findSecret = async (kid: string): Promise<string | undefined> =>
        isUuid(workspaceId) ? secrets.find(workspaceId, kid) : undefined;
      return { customerId: await verifyCustomerToken({ token, workspaceId, findSecret, now: new Date() }) };
    },

    mintCustomerToken: async ({ workspaceId, customerId }) => {
      const key = isUuid(workspaceId) && (await secrets.newest(workspaceId));
      if (!key) throw notFound();
      return mintCustomerToken(key, workspaceId, customerId, new Date());
    },

    ...brandingHandlers(db),
  };
}

function notHomeWorkspace(): AppError {
  return new AppError(
    'permission_denied',
    'not-home-workspace',
    'A key is rotated in the workspace that it was created for',
  );
}
