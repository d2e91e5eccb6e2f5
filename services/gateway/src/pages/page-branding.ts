import type { Branding } from '@parley/contracts/identity/v1/identity';
import { toAppError } from '@parley/runtime/errors';
import { callOf, logServerFault, type RequestContext } from '../http/answer/request-context.ts';
import type { Peers } from '../peers.ts';

/** Returns the branding of a workspace; undefined if the workspace is unknown, or while it cannot be read. */
export type PageBranding = (workspaceId: string, context: RequestContext) => Promise<Branding | undefined>;

const keptMs = 1_000;

interface Entry {
  answer: Promise<Branding>;
  endsAt: number;
}

/**
 * Returns the reader of the branding for pages, which anybody can open. Identity is asked once in a second for each
 * workspace. Keeps at most `entriesMax` workspaces. `now` is a monotonic clock in milliseconds.
 */
export function createPageBranding(
  identity: Pick<Peers['identity'], 'getBranding'>,
  now: () => number,
  entriesMax = 10_000,
): PageBranding {
  // In the order of their ends.
  const entries = new Map<string, Entry>();

  const ask = (workspaceId: string, context: RequestContext): Promise<Branding> => {
    // Others may wait for it when this client has left.
    const { rpc } = callOf({ ...context, givenUp: undefined });
    const answer = identity.getBranding({ workspaceId }, rpc());
    entries.delete(workspaceId);
    entries.set(workspaceId, { answer, endsAt: now() + keptMs });
    for (const [oldest] of entries) {
      if (entries.size <= entriesMax) break;
      entries.delete(oldest);
    }
    return answer;
  };

  return async (workspaceId, context) => {
    const known = entries.get(workspaceId);
    const answer = known && now() < known.endsAt ? known.answer : ask(workspaceId, context);
    try {
      return await answer;
    } catch (error) {
      if (entries.get(workspaceId)?.answer === answer) entries.delete(workspaceId);
      const fault = toAppError(error);
      if (fault.code !== 'not_found') logServerFault(context, fault);
      return undefined;
    }
  };
}
