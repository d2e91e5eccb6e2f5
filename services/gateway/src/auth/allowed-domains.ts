import { AppError } from '@parley/runtime/errors';
import type { Peers } from '../peers.ts';
import type { Call } from '../http/request-context.ts';
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
  toldAt: number;
  /** The time of the next request. */
  askAt: number;
}

/**
 * Caches the allowed domains of workspaces for 10 seconds, and for 10 minutes while identity is unavailable. Concurrent
 * requests for one workspace share one call. The cache has at most `entriesMax` workspaces, all of which exist, so
 * made-up ids evict nothing. `now` is a monotonic clock in milliseconds.
 */
export function rememberDomains(
  identity: Pick<Peers['identity'], 'getWorkspace'>,
  now: () => number,
  entriesMax = 10_000,
): AllowedDomains {
  // In the order of their next requests.
  const entries = new Map<string, Entry>();
  const underWay = new Map<string, Promise<string[]>>();

  const keep = (workspaceId: string, domains: string[], toldAt: number): string[] => {
    entries.delete(workspaceId);
    entries.set(workspaceId, { domains, toldAt, askAt: now() + keptMs });
    for (const [oldest] of entries) {
      if (entries.size <= entriesMax) break;
      entries.delete(oldest);
    }
    return domains;
  };

  const ask = async (workspaceId: string, call: Call): Promise<string[]> => {
    try {
      const { allowedDomains } = await identity.getWorkspace({ id: workspaceId }, call.rpc());
      return keep(workspaceId, allowedDomains, now());
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') {
        entries.delete(workspaceId);
        return [];
      }
      const last = entries.get(workspaceId);
      if (!last || now() - last.toldAt >= staleMsMax) throw error;
      return keep(workspaceId, last.domains, last.toldAt);
    }
  };

  return async (workspaceId, call, countLookup) => {
    const { data: wanted } = id.safeParse(workspaceId);
    if (wanted === undefined) return [];
    const entry = entries.get(wanted);
    if (entry && now() < entry.askAt) return entry.domains;
    const joined = underWay.get(wanted);
    if (joined) return joined;
    if (!entry) countLookup();
    const asked = ask(wanted, call).finally(() => underWay.delete(wanted));
    underWay.set(wanted, asked);
    return asked;
  };
}
