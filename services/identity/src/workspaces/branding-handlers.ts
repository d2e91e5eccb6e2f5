import { changesBetween } from '@parley/audit/rows';
import type { IdentityServiceService, UpdateBrandingRequest } from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { requireExisting, invalidRequest, requireUnchanged } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { auditWorkspace } from '../auditing.ts';
import { brandingFaults } from '../rules/branding-faults.ts';
import {
  type BrandingChange,
  changeBranding,
  findBranding,
  findLogo,
  lockBranding,
} from './branding-store.ts';
import { logoName } from '../rules/logo.ts';
import type { Tables } from '../schema.ts';

export function brandingHandlers(
  db: Kysely<Tables>,
): Pick<Handlers<IdentityServiceService>, 'getBranding' | 'updateBranding' | 'getLogo'> {
  const find = async (workspaceId: string) => requireExisting(await findBranding(db, workspaceId));
  return {
    getBranding: ({ workspaceId }) => find(workspaceId),

    updateBranding: async ({ workspaceId, ifVersion, ...wanted }) => {
      const faults = brandingFaults(wanted);
      if (faults.length > 0) throw invalidRequest(faults);
      return db.transaction().execute(async (trx) => {
        const { version, ...before } = requireExisting(await lockBranding(trx, workspaceId));
        requireUnchanged(version, ifVersion);
        const changed = await changeBranding(trx, workspaceId, changeOf(wanted));
        const { version: _, ...after } = changed;
        await auditWorkspace(trx, workspaceId, 'branding.updated', changesBetween(before, after));
        return changed;
      });
    },

    getLogo: async ({ workspaceId, name }) => ({
      content: requireExisting(await findLogo(db, workspaceId, name)),
    }),
  };
}

function changeOf(wanted: Omit<UpdateBrandingRequest, 'workspaceId' | 'ifVersion'>): BrandingChange {
  const { displayName, logo, accentColor, endText, endLink, privacyText } = wanted;
  return {
    ...(typeof displayName === 'string' && { displayName: displayName || null }),
    ...(logo && { logo: logo.length > 0 ? { content: logo, name: logoName(logo) } : null }),
    ...(typeof accentColor === 'string' && { accentColor: accentColor.toLowerCase() || null }),
    ...(typeof endText === 'string' && { endText: endText || null }),
    ...(typeof privacyText === 'string' && { privacyText: privacyText || null }),
    ...(endLink && { endLink: endLink.endLink }),
  };
}
