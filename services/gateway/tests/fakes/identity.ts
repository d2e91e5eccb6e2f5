import type { Branding, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import { type Answer, current, only } from './answers.ts';
import { grantOf, known, now, workspaceIds } from './known.ts';

// The answers of the identity service about credentials and workspaces.

const granted = [known.workspaceId, known.otherWorkspaceId];
const workspaceOf = (id: string) => ({ id, name: 'Shop', allowedDomains: [known.allowedDomain] });
const verified = (customerId: string) => ({
  customerId,
  grant: grantOf([known.workspaceId], { $case: 'customerId', value: customerId }),
});

interface Controls {
  cacheableMs: number;
  scopes: string[];
  branding: Branding;
}

export function fakeIdentity(answer: Answer, controls: Controls) {
  return {
    authenticate: answer('authenticate', ({ apiKey, apiSecret }) => {
      if (![known.apiKey, known.otherApiKey].includes(apiKey) || apiSecret !== known.apiSecret) {
        throw new AppError('unauthenticated', 'invalid-credentials', 'no');
      }
      return {
        apiKey,
        homeWorkspaceId: known.workspaceId,
        workspaceIds: granted,
        version: 1,
        scopes: controls.scopes,
        cacheableMs: controls.cacheableMs,
        grant: grantOf(granted, { $case: 'apiKey', value: apiKey }),
        name: '',
        expiresAt: null,
      };
    }),
    getWorkspace: answer('getWorkspace', ({ id }) => only(workspaceIds.includes(id), workspaceOf(id))),
    batchGetWorkspaces: answer('batchGetWorkspaces', ({ workspaceIds }) => ({
      workspaces: workspaceIds.map(workspaceOf),
    })),
    rotateSecret: answer('rotateSecret', ({ workspaceId }) => {
      if (workspaceId !== known.workspaceId) {
        throw new AppError('permission_denied', 'not-home-workspace', 'no');
      }
      return { secret: 'prl_sec_new' };
    }),
    rotateSdkSecret: answer('rotateSdkSecret', () => ({ kid: 'k2', secret: 'sdk' })),
    verifyCustomerToken: answer('verifyCustomerToken', ({ token }) => {
      if (token === known.otherCustomerToken) return verified('bob');
      if (token !== known.customerToken)
        throw new AppError('unauthenticated', 'invalid-customer-token', 'no');
      return verified(known.customerId);
    }),
    beginSignIn: answer('beginSignIn', () => ({
      url: 'https://provider.example/auth',
      attempt: 'sealed',
    })),
    mintCustomerToken: answer('mintCustomerToken', () => ({ customerToken: 'jwt', expiresAt: now })),
    getBranding: answer('getBranding', ({ workspaceId }) =>
      only(workspaceIds.includes(workspaceId), controls.branding),
    ),
    updateWorkspace: answer('updateWorkspace', ({ workspaceId, allowedDomains }) =>
      only(workspaceIds.includes(workspaceId), { id: workspaceId, name: 'Shop', allowedDomains }),
    ),
    updateBranding: answer('updateBranding', ({ ifVersion }) => current(controls.branding, ifVersion)),
    getLogo: answer('getLogo', ({ name }) =>
      only(name === controls.branding.logoName, { content: Buffer.from('logo') }),
    ),
  } satisfies Partial<Handlers<typeof IdentityServiceService>>;
}
