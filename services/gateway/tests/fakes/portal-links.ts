import type { IdentityServiceService, PortalLink } from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { notFound } from '@parley/runtime/errors';
import type { Answer } from './answers.ts';
import { now } from './known.ts';

// The answers of the identity service about links of the portal.

export function fakePortalLinks(answer: Answer, { workspaceId, id }: Pick<PortalLink, 'workspaceId' | 'id'>) {
  const link: PortalLink = {
    id,
    workspaceId,
    name: 'Shop team',
    webhookIds: [],
    personalData: false,
    createdBy: 'prl_key_0123456789012345678901',
    createdAt: now,
    expiresAt: now,
    usedAt: null,
    revokedAt: null,
  };
  return {
    listPortalLinks: answer('listPortalLinks', () => ({ links: [link], nextCursor: id })),
    createPortalLink: answer('createPortalLink', ({ name, webhookIds, personalData }) => ({
      link: { ...link, name, webhookIds, personalData },
      code: 'prl_plk_new',
    })),
    revokePortalLink: answer('revokePortalLink', (request) => {
      if (request.portalLinkId !== id) throw notFound();
      return {};
    }),
  } satisfies Partial<Handlers<typeof IdentityServiceService>>;
}
