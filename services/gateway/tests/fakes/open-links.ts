import type { OpenLink, OpenLinkServiceService } from '@parley/contracts/interaction/v1/open_link';
import type { Handlers } from '@parley/rpc/definition';
import { notFound, preconditionFailed } from '@parley/runtime/errors';
import type { Answer } from './answers.ts';
import { now } from './known.ts';

// The answers of the interaction service about open links.

interface Known {
  workspaceId: string;
  botId: string;
  openLinkId: string;
  openLinkToken: string;
  linkToken: string;
}

export function fakeOpenLinks(answer: Answer, known: Known) {
  const link: OpenLink = {
    id: known.openLinkId,
    botId: known.botId,
    name: 'Table 7',
    token: known.openLinkToken,
    expiresAt: null,
    responsesMax: undefined,
    responses: 12,
    contextKeys: ['productName'],
    isClosed: false,
    isTest: false,
    createdAt: now,
    createdBy: 'prl_key_0123456789012345678901',
    version: 2,
  };
  const current = ({
    openLinkId,
    ifVersion,
  }: {
    openLinkId: string;
    ifVersion?: number | null | undefined;
  }) => {
    if (openLinkId !== link.id) throw notFound();
    if (typeof ifVersion === 'number' && ifVersion !== link.version) throw preconditionFailed();
    return link;
  };
  const visited = (token: string): void => {
    if (token !== link.token) throw notFound();
  };
  return {
    createOpenLink: answer('createOpenLink', ({ name }) => ({ link: { ...link, name }, replayed: false })),
    getOpenLink: answer('getOpenLink', current),
    listOpenLinks: answer('listOpenLinks', () => ({ links: [link], nextCursor: link.id })),
    updateOpenLink: answer('updateOpenLink', current),
    deleteOpenLink: answer('deleteOpenLink', (request) => {
      current(request);
      return {};
    }),
    visitOpenLink: answer('visitOpenLink', ({ token }) => {
      visited(token);
      const { workspaceId, openLinkId } = known;
      const { contextKeys } = link;
      return { openLinkId, workspaceId, botName: 'NPS', state: 'Open' as const, contextKeys };
    }),
    respondToOpenLink: answer('respondToOpenLink', ({ token }) => {
      visited(token);
      return { linkToken: known.linkToken };
    }),
  } satisfies Handlers<typeof OpenLinkServiceService>;
}
