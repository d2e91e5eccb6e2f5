import { AppError } from '@parley/runtime/errors';
import type { Peers } from '../peers.ts';
import type { Call } from '../http/route.ts';
import { id } from '../values/text.ts';

/**
 * The allowed domains of a workspace; none when it does not exist. `countLookup` is called before identity is asked about
 * a workspace that is not known, and throws when that is not to be.
 */
export type AllowedDomains = (workspaceId: unknown, call: Call, countLookup: () => void) => Promise<string[]>;

const keptMs = 10_000;
/** How old an answer may be where there is no newer one. */
const staleMsMax = 600_000;

interface Entry {
  domains: string[];
  toldAt: number;
  /** When to ask again. */
  askAt: number;
}

/**
 * The allowed domains as identity has told them at most 10 seconds ago, so that the calls of browsers, preflights among
 * them, do not ask each time; while identity cannot answer, at most 10 minutes ago. Many who want to know the same at the
 * same time ask once. Of at most `entriesMax` workspaces, all of which exist: made-up ids drive none of them out. `now` is
 * a clock in milliseconds that only goes forward.
 */
export function rememberDomains(
  identity: Pick<Peers['identity'], 'getWorkspace'>,
  now: () => number,
  entriesMax = 10_000,
): AllowedDomains {
  // In the order in which they are to be asked about again.
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
