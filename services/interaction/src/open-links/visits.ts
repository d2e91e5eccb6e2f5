import { anonymousPrefix } from '@parley/contracts/customer-id';
import type { ContextEntry } from '@parley/contracts/interaction/v1/interaction';
import type {
  OpenLinkServiceService,
  VisitOpenLinkResponse,
} from '@parley/contracts/interaction/v1/open_link';
import { openLinkLimits } from '@parley/contracts/limits';
import type { Handlers } from '@parley/rpc/definition';
import { mac } from '@parley/runtime/config/keyring';
import { AppError, notFound } from '@parley/runtime/errors';
import { addSpanIds } from '@parley/runtime/telemetry/span-ids';
import { createInteraction } from '../creating/creation.ts';
import type { Deps } from '../deps.ts';
import { readLinkToken } from '../interactions/link-token.ts';
import { findVisited, takeResponse, type VisitedLink } from './store.ts';

type VisitMethods = 'visitOpenLink' | 'respondToOpenLink';

/** The calls of visitors, who have nothing but the token. */
export function visitHandlers(deps: Deps): Pick<Handlers<typeof OpenLinkServiceService>, VisitMethods> {
  return {
    visitOpenLink: async ({ token }) => {
      const { id, link } = await visited(deps, token);
      if (!link) return { openLinkId: id, workspaceId: '', botName: '', state: 'Closed', contextKeys: [] };
      const { workspaceId, botName, contextKeys } = link;
      const isTest = link.isTest || undefined;
      return { openLinkId: id, workspaceId, botName, state: stateOf(link), contextKeys, isTest };
    },

    respondToOpenLink: async ({ token, visit, context }, call) => {
      const { link } = await visited(deps, token);
      if (!link) throw takesNone();
      const { workspaceId, botId, isTest } = link;
      const customerId = anonymousId(deps, link, visit);
      const request = {
        workspaceId,
        customerId,
        botId,
        status: 'Pending',
        priority: 'Medium',
        isTest,
        expirySeconds: openLinkLimits.continuedDays * 24 * 60 * 60,
        context: takenContext(link, context),
        idempotency: { scope: `open-link ${customerId}`, fingerprint: Buffer.from('visit') },
      } as const;
      const take = async (trx: Deps['db']): Promise<void> => {
        if (!(await takeResponse(trx, link))) throw takesNone();
      };
      const isOpen = (): void => {
        // Without this, each refused response would leave a customer.
        if (stateOf(link) !== 'Open') throw takesNone();
      };
      const { interaction } = await createInteraction(deps, request, call, { check: isOpen, within: take });
      if (!interaction) throw new Error('a creation returned no interaction');
      addSpanIds({ interactionId: interaction.id });
      return { linkToken: interaction.linkToken };
    },
  };
}

async function visited(
  { db, linkKeys }: Pick<Deps, 'db' | 'linkKeys'>,
  token: string,
): Promise<{ id: string; link: VisitedLink | undefined }> {
  const subject = readLinkToken(linkKeys, token, 'openLink');
  if (!subject) throw notFound();
  const link = await findVisited(db, subject.id);
  if (link) addSpanIds({ workspaceId: link.workspaceId });
  return { id: subject.id, link };
}

function stateOf({
  isClosed,
  isUnpublished,
  isExpired,
  responses,
  responsesMax,
}: VisitedLink): VisitOpenLinkResponse['state'] {
  if (isClosed || isUnpublished) return 'Closed';
  if (isExpired) return 'Expired';
  return responsesMax !== null && responses >= responsesMax ? 'Full' : 'Open';
}

function takesNone(): AppError {
  return new AppError('gone', 'conversation-ended', 'The link is closed, full or expired');
}

/**
 * Returns the id of the customer of a visit. It is a MAC, so that nobody can choose the customer of another visit.
 */
function anonymousId({ linkKeys }: Pick<Deps, 'linkKeys'>, { id }: VisitedLink, visit: string): string {
  const digest = mac(linkKeys.current.key, `anonymous:${id}:${visit}`);
  return anonymousPrefix + digest.subarray(0, 16).toString('hex');
}

/** A later version of the bot may not take a key any more. */
function takenContext(
  { contextKeys, botContext }: VisitedLink,
  given: readonly ContextEntry[],
): ContextEntry[] {
  return given.filter(({ key }) => contextKeys.includes(key) && botContext.includes(key));
}
