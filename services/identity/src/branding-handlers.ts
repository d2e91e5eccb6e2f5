import type { IdentityServiceService, UpdateBrandingRequest } from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { existing, invalidRequest, preconditionFailed } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { brandingFaults } from './rules/branding-faults.ts';
import { type BrandingChange, changeBranding, findBranding, findLogo } from './branding-store.ts';
import { logoName } from './rules/logo.ts';
import type { Tables } from './schema.ts';

/** Returns the handlers of the RPCs about branding. */
export function brandingHandlers(
  db: Kysely<Tables>,
): Pick<Handlers<IdentityServiceService>, 'getBranding' | 'updateBranding' | 'getLogo'> {
  const find = async (workspaceId: string) => existing(await findBranding(db, workspaceId));
  return {
    getBranding: ({ workspaceId }) => find(workspaceId),

    updateBranding: async ({ workspaceId, ifVersion, ...wanted }) => {
      const faults = brandingFaults(wanted);
      if (faults.length > 0) throw invalidRequest(faults);
      const changed = await changeBranding(db, workspaceId, changeOf(wanted), ifVersion ?? null);
      if (changed) return changed;
      await find(workspaceId);
      throw preconditionFailed();
    },

    getLogo: async ({ workspaceId, name }) => ({ content: existing(await findLogo(db, workspaceId, name)) }),
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
