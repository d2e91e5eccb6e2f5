import type { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import type { RpcClient } from '@parley/rpc/definition';
import { LRUCache } from 'lru-cache';

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
  const entries = new LRUCache<string, Promise<void>>({ max: entriesMax });

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
    entries.set(id, check);
    await check;
  };
}
