import type { Branding } from '@parley/contracts/identity/v1/identity';
import { endsBy } from '@parley/runtime/scheduling/ends-by';
import { toAppError } from '@parley/runtime/errors';
import { callOf, logServerFault, type RequestContext } from '../http/answer/request-context.ts';
import { LRUCache } from 'lru-cache';
import type { Peers } from '../peers.ts';

/** Returns the branding of a workspace; undefined if the workspace is unknown, or while it cannot be read. */
export type PageBranding = (workspaceId: string, context: RequestContext) => Promise<Branding | undefined>;

const keptMs = 1_000;

/**
 * Returns the reader of the branding for pages, which anybody can open. Identity is asked once in a second for each
 * workspace. Keeps at most `entriesMax` workspaces. `now` is a monotonic clock in milliseconds.
 */
export function createPageBranding(
  identity: Pick<Peers['identity'], 'getBranding'>,
  now: () => number,
  entriesMax = 10_000,
): PageBranding {
  const answers = new LRUCache<string, Promise<Branding>>({ max: entriesMax, ttl: keptMs, ...endsBy(now) });

  const ask = (workspaceId: string, context: RequestContext): Promise<Branding> => {
    // Others may wait for it when this client has left.
    const { rpc } = callOf({ ...context, givenUp: undefined });
    const answer = identity.getBranding({ workspaceId }, rpc());
    answers.set(workspaceId, answer);
    return answer;
  };

  return async (workspaceId, context) => {
    const answer = answers.get(workspaceId) ?? ask(workspaceId, context);
    try {
      return await answer;
    } catch (error) {
      if (answers.get(workspaceId) === answer) answers.delete(workspaceId);
      const fault = toAppError(error);
      if (fault.code !== 'not_found') logServerFault(context, fault);
      return undefined;
    }
  };
}
