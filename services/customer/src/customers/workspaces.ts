import type { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import type { RpcClient } from '@parley/rpc/definition';

/** Resolves when the workspace exists. Throws identity's error otherwise: NOT_FOUND or UNAVAILABLE. */
export type CheckWorkspace = (id: string, requestId: string) => Promise<void>;

const entriesMax = 10_000;

/**
 * Returns a check that asks identity once per workspace: workspaces are never deleted. Concurrent calls share a
 * request. Keeps the 10,000 workspaces that were used last, and no failure.
 */
export function createWorkspaceCheck(
  identity: Pick<RpcClient<IdentityServiceService>, 'getWorkspace'>,
): CheckWorkspace {
  // In the order of last use.
  const entries = new Map<string, Promise<void>>();

  const ask = async (id: string, requestId: string): Promise<void> => {
    try {
      await identity.getWorkspace({ id }, { requestId });
    } catch (error) {
      entries.delete(id);
      throw error;
    }
  };

  return async (id, requestId) => {
    const check = entries.get(id) ?? ask(id, requestId);
    entries.delete(id);
    entries.set(id, check);
    const [oldest = id] = entries.keys();
    if (entries.size > entriesMax) entries.delete(oldest);
    await check;
  };
}
