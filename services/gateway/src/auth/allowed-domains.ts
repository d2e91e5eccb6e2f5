import { AppError } from '@parley/runtime/errors';
import type { Peers } from '../peers.ts';
import type { Call } from '../http/answer/request-context.ts';
import { id } from '../values/text.ts';

/**
 * Returns the allowed domains of a workspace, none if it does not exist. Calls `countLookup` before it asks identity
 * about an unknown workspace. `countLookup` throws beyond the limit.
 */
export type AllowedDomains = (workspaceId: unknown, call: Call, countLookup: () => void) => Promise<string[]>;

const keptMs = 10_000;
/** The maximum age of an answer while identity is unavailable. */
const staleMsMax = 600_000;

interface Entry {
  domains: string[];
  fetchedAt: number;
  /** When the next request asks identity. */
  refreshAt: number;
}

/**
 * Caches the allowed domains of workspaces for 10 seconds, and for 10 minutes while identity is unavailable. Concurrent
 * requests for one workspace share one call. The cache has at most `entriesMax` workspaces, all of which exist, so
 * made-up ids evict nothing. `now` is a monotonic clock in milliseconds.
 */
export function createAllowedDomainsCache(
  identity: Pick<Peers['identity'], 'getWorkspace'>,
  now: () => number,
  entriesMax = 10_000,
): AllowedDomains {
  // In the order of their next requests.
  const entries = new Map<string, Entry>();
  const inFlight = new Map<string, Promise<string[]>>();

  const keep = (workspaceId: string, domains: string[], fetchedAt: number): string[] => {
    entries.delete(workspaceId);
    entries.set(workspaceId, { domains, fetchedAt, refreshAt: now() + keptMs });
    for (const [oldest] of entries) {
      if (entries.size <= entriesMax) break;
      entries.delete(oldest);
    }
    return domains;
  };

  const ask = async (workspaceId: string, call: Call): Promise<string[]> => {
    try {
      // Others may join, so it does not end with its first caller.
      const options = { ...call.rpc(), signal: undefined };
      const { allowedDomains } = await identity.getWorkspace({ id: workspaceId }, options);
      return keep(workspaceId, allowedDomains, now());
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') {
        entries.delete(workspaceId);
        return [];
      }
      const last = entries.get(workspaceId);
      if (!last || now() - last.fetchedAt >= staleMsMax) throw error;
      return keep(workspaceId, last.domains, last.fetchedAt);
    }
  };

  return async (workspaceId, call, countLookup) => {
    const { data: validId } = id.safeParse(workspaceId);
    if (validId === undefined) return [];
    const entry = entries.get(validId);
    if (entry && now() < entry.refreshAt) return entry.domains;
    const joined = inFlight.get(validId);
    if (joined) return joined;
    if (!entry) countLookup();
    const asked = ask(validId, call).finally(() => inFlight.delete(validId));
    inFlight.set(validId, asked);
    return asked;
  };
}
