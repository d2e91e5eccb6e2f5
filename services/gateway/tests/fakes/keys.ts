import type { ApiKey, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { notFound, preconditionFailed } from '@parley/runtime/errors';
import type { Answer } from './answers.ts';
import { now } from './known.ts';

// The answers of the identity service about API keys.

export function fakeKeys(answer: Answer, { apiKey, workspaceIds }: Pick<ApiKey, 'apiKey' | 'workspaceIds'>) {
  const key: ApiKey = {
    apiKey,
    homeWorkspaceId: workspaceIds[0] ?? '',
    workspaceIds,
    createdAt: now,
    rotatedAt: null,
    revokedAt: null,
    name: 'Shop backend',
    scopes: ['interactions:write', 'a-future-resource:read'],
    hasAllScopes: false,
    createdBy: 'operator',
    expiresAt: null,
    lastUsedAt: new Date('2026-11-21T09:00:00Z'),
    version: 5,
  };
  const only = (name: string, ifVersion?: number | null): ApiKey => {
    if (name !== apiKey) throw notFound();
    if (typeof ifVersion === 'number' && ifVersion !== key.version) throw preconditionFailed();
    return key;
  };
  return {
    createApiKey: answer('createApiKey', ({ name, scopes, expiresAt }) => ({
      key: { ...key, name, scopes, expiresAt },
      secret: 'prl_sec_new',
    })),
    getApiKey: answer('getApiKey', (request) => only(request.apiKey)),
    listApiKeys: answer('listApiKeys', () => ({ keys: [key], nextCursor: apiKey })),
    updateApiKey: answer('updateApiKey', (request) => ({
      ...only(request.apiKey, request.ifVersion),
      name: request.name ?? key.name,
      version: 6,
    })),
    revokeApiKey: answer('revokeApiKey', (request) => ({
      ...only(request.apiKey, request.ifVersion),
      revokedAt: now,
      version: 6,
    })),
  } satisfies Partial<Handlers<typeof IdentityServiceService>>;
}
