import { AppError } from '@parley/runtime/errors';
import type { Peers } from './peers.ts';
import type { Call } from './route.ts';
import { id } from './text.ts';

/** The allowed domains of a workspace; none when it does not exist. */
export type AllowedDomains = (workspaceId: unknown, call: Call) => Promise<string[]>;

const keptMs = 10_000;

interface Entry {
  domains: string[];
  endsAt: number;
}

/**
 * The allowed domains as identity has told them at most 10 seconds ago, so that the calls of browsers, preflights among
 * them, do not ask each time. Of at most `entriesMax` workspaces; `now` is a clock in milliseconds that only goes forward.
 */
export function rememberDomains(
  identity: Peers['identity'],
  now: () => number,
  entriesMax = 10_000,
): AllowedDomains {
  // In the order in which they end.
  const entries = new Map<string, Entry>();
  return async (workspaceId, call) => {
    const known = id.safeParse(workspaceId);
    if (!known.success) return [];
    const entry = entries.get(known.data);
    if (entry && now() < entry.endsAt) return entry.domains;
    const domains = await ask(identity, known.data, call);
    entries.delete(known.data);
    entries.set(known.data, { domains, endsAt: now() + keptMs });
    for (const [oldest] of entries) {
      if (entries.size <= entriesMax) break;
      entries.delete(oldest);
    }
    return domains;
  };
}

async function ask(identity: Peers['identity'], workspaceId: string, call: Call): Promise<string[]> {
  try {
    return (await identity.getWorkspace({ id: workspaceId }, call.rpc())).allowedDomains;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return [];
    throw error;
  }
}
