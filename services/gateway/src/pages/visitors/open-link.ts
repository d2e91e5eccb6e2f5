import { randomBytes } from 'node:crypto';
import type { VisitOpenLinkResponse } from '@parley/contracts/interaction/v1/open_link';
import type { OpenLinkResponse } from '@parley/contracts/interaction/v1/conversation';
import { toAppError } from '@parley/runtime/errors';
import { escaped } from '@parley/runtime/html';
import { LRUCache } from 'lru-cache';
import { openLinkPath } from '../../api/open-links/present.ts';
import { toBrandingIfAny } from '../../api/workspaces/present-branding.ts';
import { callOf, type RequestContext, send } from '../../http/answer/request-context.ts';
import { tokensIn } from '../../http/answer/page-path.ts';
import type { Resource } from '../../http/answer/resource.ts';
import { addressGroupOf } from '../../http/request/client-address.ts';
import type { ConsoleCookies } from '../../http/request/session-cookie.ts';
import { countStart, startOutcomes } from '../../limits/metrics.ts';
import { consumeOrThrow, type RateLimit, type RateLimits } from '../../limits/rate-limit.ts';
import type { Peers } from '../../peers.ts';
import type { FramesOf } from '../frames.ts';
import { contextIn, requireOwnPage, startLinked, visitIn, visitName } from './linked-conversation.ts';
import type { PageBranding } from '../page-branding.ts';
import { type Brand, endOf, privacyOf } from './brand.ts';
import { privateFields, sendFailurePage, sendVisitorPage } from './visitor-page.ts';
import { visitorLocale, visitorWords } from './visitor-words.ts';

export interface OpenLinkPages {
  /** Where browsers find the API, without a trailing slash. */
  publicUrl: string;
  peers: Pick<Peers, 'openLinks' | 'conversations'>;
  brandingOf: PageBranding;
  framesOf: FramesOf;
  rateLimits: Pick<RateLimits, 'starts' | 'linkStarts'>;
  cookies: Pick<ConsoleCookies, 'openLink'>;
}

interface Pages extends OpenLinkPages {
  /**
   * The origins that may show the page of a link in a frame, by its token, as of the last visit. They may show why a
   * start failed, too, which is known before the link is looked up.
   */
  lastFrames: LRUCache<string, string[]>;
}

const lastFramesMax = 10_000;

/**
 * Returns the page of an open link. Reading it changes nothing. Its button posts: then an interaction begins, and the
 * browser is sent to the page of its link, also the next time. The page needs no script.
 */
export function openLinkResource(options: OpenLinkPages): Resource {
  const pages: Pages = { ...options, lastFrames: new LRUCache({ max: lastFramesMax }) };
  // A rate misses the first event of a series that begins with it.
  for (const outcome of startOutcomes) countStart(outcome, 0);
  return {
    path: `${openLinkPath}/:token`,
    isPage: true,
    callsServices: true,
    show: (context) => answer(pages, context, () => visit(pages, context)),
    post: async (context) => () => answer(pages, context, () => start(pages, context)),
  };
}

type Visited = VisitOpenLinkResponse;

/** Sends what the work returns: the address of the conversation, or the link that has none yet. */
async function answer(
  pages: Pages,
  context: RequestContext,
  work: () => Promise<{ location: string; cookie?: string } | Visited>,
): Promise<void> {
  try {
    const done = await work();
    if (!('location' in done)) return await sendPage(pages, context, done);
    const fields: Record<string, string> = { Location: done.location, ...privateFields };
    if (done.cookie !== undefined) fields['Set-Cookie'] = done.cookie;
    send(context, 303, '', fields);
  } catch (error) {
    sendFailurePage(context, toAppError(error), pages.lastFrames.get(tokenOf(context)));
  }
}

async function visit(pages: OpenLinkPages, context: RequestContext) {
  const given = String(context.request.params['token']);
  const [token] = tokensIn(given);
  // A mail program has added something to the link.
  if (token !== '' && token !== given) {
    const query = /\?.*$/.exec(context.request.url)?.[0] ?? '';
    return { location: `${context.request.baseUrl}${openLinkPath}/${token}${query}` };
  }
  const link = await visited(pages, context);
  const begun = await begunBefore(pages, context, link);
  return begun ?? link;
}

async function start(pages: OpenLinkPages, context: RequestContext) {
  const { request, fields } = context;
  const { starts, linkStarts } = pages.rateLimits;
  requireOwnPage(request);
  // Before the look-up: a flood costs nothing beyond this, whatever links it names.
  takeStart(fields, starts, addressGroupOf(request.ip), 'address_limit');
  const link = await visited(pages, context);
  const begun = await begunBefore(pages, context, link);
  if (begun) {
    countStart('continued');
    return begun;
  }
  if (link.state !== 'Open') return refused(link);
  takeStart(fields, linkStarts, link.openLinkId, 'link_limit');
  const linkToken = await respond(pages, context, link);
  // It was closed or filled meanwhile.
  if (linkToken === undefined) return refused(await visited(pages, context));
  countStart('begun');
  const { conversations } = pages.peers;
  const opened = await conversations.openLink({ token: linkToken }, callOf(context).rpc());
  await startLinked({ opened, locale: visitorLocale(request) }, context, conversations);
  const cookie = pages.cookies.openLink(link.openLinkId).set(linkToken);
  return { location: conversationAt(context, linkToken), cookie };
}

function takeStart(
  fields: Record<string, string>,
  limit: Pick<RateLimit, 'take'>,
  client: string,
  outcome: 'address_limit' | 'link_limit',
): void {
  try {
    consumeOrThrow(fields, limit, client);
  } catch (error) {
    countStart(outcome);
    throw error;
  }
}

function refused(link: Visited): Visited {
  countStart(endingOf(link));
  return link;
}

/** Returns the token of the new interaction's link; undefined if the open link takes no response any more. */
async function respond(
  { peers }: OpenLinkPages,
  context: RequestContext,
  { contextKeys }: Visited,
): Promise<string | undefined> {
  const query = new URL(context.request.url, 'http://localhost').searchParams;
  const response = {
    token: tokenOf(context),
    visit: visitIn(query) ?? newVisit(),
    context: contextIn(query, contextKeys),
  };
  try {
    return (await peers.openLinks.respondToOpenLink(response, callOf(context).rpc())).linkToken;
  } catch (error) {
    if (toAppError(error).code === 'gone') return undefined;
    throw error;
  }
}

function tokenOf({ request }: RequestContext): string {
  return String(request.params['token']);
}

function visited({ peers }: OpenLinkPages, context: RequestContext): Promise<Visited> {
  return peers.openLinks.visitOpenLink({ token: tokenOf(context) }, callOf(context).rpc());
}

/** Returns the address of the conversation that this browser has begun, unless it was deleted. */
async function begunBefore(
  { cookies, peers }: OpenLinkPages,
  context: RequestContext,
  { openLinkId }: Visited,
): Promise<{ location: string } | undefined> {
  const token = cookies.openLink(openLinkId).read(context.request.headers.cookie);
  if (!token) return undefined;
  let opened: OpenLinkResponse;
  try {
    opened = await peers.conversations.openLink({ token }, callOf(context).rpc());
  } catch (error) {
    if (toAppError(error).code === 'not_found') return undefined;
    throw error;
  }
  return opened.unavailable ? undefined : { location: conversationAt(context, token) };
}

/** The script of the page goes on at once: the visitor has pressed “Start” already. */
function conversationAt({ request }: RequestContext, linkToken: string): string {
  return `${request.baseUrl}/interactions/${linkToken}#resume`;
}

function newVisit(): string {
  return randomBytes(16).toString('base64url');
}

const endings = { Closed: 'closed', Expired: 'expired', Full: 'full' } as const;

/** A link that was open again meanwhile, too, was closed for this visitor. */
function endingOf({ state }: Visited): (typeof endings)[keyof typeof endings] {
  return state === 'Open' || state === 'STATE_UNSPECIFIED' ? 'closed' : endings[state];
}

async function sendPage(pages: Pages, context: RequestContext, link: Visited): Promise<void> {
  const { workspaceId, botName, state, isTest } = link;
  const row = workspaceId ? await pages.brandingOf(workspaceId, context) : undefined;
  const brand = row && toBrandingIfAny(workspaceId, row, pages.publicUrl);
  const { words } = visitorWords(context.request);
  const isOpen = state === 'Open';
  const ending = endingOf(link);
  const names = [brand?.displayName ?? '', botName].filter(Boolean);
  const framedBy = workspaceId ? await pages.framesOf(workspaceId, context) : [];
  pages.lastFrames.set(tokenOf(context), framedBy);
  if (!isOpen) context.errorType = 'conversation-ended';
  sendVisitorPage(context, isOpen ? 200 : 410, {
    title: names.join(' – ') || words[ending],
    heading: names[0] ?? words[ending],
    lines: [...names.slice(1), isOpen ? words.ready : words[ending]],
    more: isOpen ? startForm(context, words.start, brand) : endOf(brand),
    isTest,
    brand,
    framedBy,
  });
}

function startForm({ request }: RequestContext, label: string, brand: Brand): string {
  const query = new URL(request.url, 'http://localhost').searchParams;
  query.set(visitName, newVisit());
  return `<form class="choices" method="post" action="?${escaped(String(query))}">
<button type="submit">${escaped(label)}</button>
</form>
${privacyOf(brand)}`;
}
