import { toAppError } from '@parley/runtime/errors';
import type { AllowedDomains } from '../auth/allowed-domains.ts';
import { frameAncestors } from '../auth/cors.ts';
import { callOf, logServerFault, type RequestContext } from '../http/answer/request-context.ts';
import { addressGroupOf } from '../http/request/client-address.ts';
import { consumeOrThrow, type RateLimits } from '../limits/rate-limit.ts';

/** Returns the origins that may show a page of a workspace in a frame. While they cannot be read, there are none. */
export type FramesOf = (workspaceId: string, context: RequestContext) => Promise<string[]>;

/** Its calls throw 429 for an address that asks for too many unknown workspaces. */
export function createFramesOf(
  allowedDomains: AllowedDomains,
  { workspaces }: Pick<RateLimits, 'workspaces'>,
): FramesOf {
  return async (workspaceId, context) => {
    const countLookup = (): void =>
      consumeOrThrow(context.fields, workspaces, addressGroupOf(context.request.ip));
    try {
      return frameAncestors(await allowedDomains(workspaceId, callOf(context), countLookup));
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'resource_exhausted') throw known;
      logServerFault(context, known);
      return [];
    }
  };
}
