import { interactionLimits, openLinkLimits } from '@parley/contracts/limits';
import type { ContextEntry } from '@parley/contracts/interaction/v1/interaction';
import type { OpenLinkResponse, Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { AppError, toAppError } from '@parley/runtime/errors';
import type { Request } from 'express';
import { callOf, logServerFault, type RequestContext } from '../../http/answer/request-context.ts';
import type { Peers } from '../../peers.ts';
import type { Sealed } from '../../values/personal.ts';

/**
 * Throws 403 `cross-site` if a page of another site posts the form: it must not begin conversations of its visitors.
 * Programs without these header fields may.
 */
export function requireOwnPage({ headers }: Pick<Request, 'headers'>): void {
  const { 'sec-fetch-site': site, origin, host } = headers;
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  const isOwnOrigin = origin === undefined || origin === 'null' || URL.parse(origin)?.host === host;
  if (isOwnSite && isOwnOrigin) return;
  throw new AppError(
    'permission_denied',
    'cross-site',
    'Only the page of the link can start its conversation',
  );
}

/**
 * Starts the conversation of a link that was opened, and returns its snapshot; undefined if it cannot be started now:
 * its page then shows why, or lets the customer start it.
 */
export async function startLinked(
  { opened, locale }: { opened: OpenLinkResponse; locale: string | undefined },
  context: RequestContext,
  conversations: Pick<Peers['conversations'], 'startConversation'>,
): Promise<Sealed<Snapshot> | undefined> {
  const { interactionId, grant } = opened;
  const { rpc } = callOf({ ...context, grant });
  const request = { session: sessionOf(opened), interactionId, locale };
  try {
    return await conversations.startConversation(request, rpc());
  } catch (error) {
    const known = toAppError(error);
    logServerFault(context, known);
    return undefined;
  }
}

/** Returns the session of the link, which ends with the call. */
export function sessionOf({ workspaceId, interactionId, linkVersion }: OpenLinkResponse) {
  const subject = { $case: 'interaction', value: { interactionId, linkVersion } } as const;
  return { workspaceId, subject, fenceVersion: 0 };
}

/** The parameter with the id of a visit. The page of the link adds it to its form. */
export const visitName = '_visit';

/** Undefined without a valid one. */
export function visitIn(query: URLSearchParams): string | undefined {
  const visit = query.get(visitName) ?? '';
  return /^[\w-]+$/.test(visit) && visit.length <= openLinkLimits.visitCharactersMax ? visit : undefined;
}

/**
 * Returns the context that the query gives, of these keys. Anybody can write a query, so what does not fit is left out:
 * further values of a key, values that are empty, too long or that Postgres cannot store.
 */
export function contextIn(query: URLSearchParams, keys: readonly string[]): ContextEntry[] {
  let bytesLeft: number = interactionLimits.contextBytesMax;
  return keys.flatMap((key) => {
    const value = query.get(key) ?? '';
    const bytes = Buffer.byteLength(value);
    const isTaken = bytes <= Math.min(interactionLimits.contextValueBytesMax, bytesLeft);
    if (value === '' || value.includes('\0') || !isTaken) return [];
    bytesLeft -= bytes;
    return [{ key, value }];
  });
}
