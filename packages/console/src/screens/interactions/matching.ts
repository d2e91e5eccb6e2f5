import type { WorkspaceClient } from '@parley/client';
import { pageSizeMax } from '@parley/contracts/limits';
import type { queryOf } from './filters.ts';

const callsMax = 4;

/**
 * Returns the customers of the newest interactions that match, by the ids of the interactions. Calls `onProgress` with
 * how many are known. Rejects when the signal aborts.
 */
export async function allMatching(
  client: WorkspaceClient,
  query: ReturnType<typeof queryOf>,
  { most, onProgress, signal }: { most: number; onProgress(count: number): void; signal: AbortSignal },
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const pages = Array.from({ length: Math.ceil(most / pageSizeMax) }, (_, index) => index + 1).values();
  const read = async (): Promise<void> => {
    for (const page of pages) {
      const { data } = await client.interactions.list({ ...query, page, pageSize: pageSizeMax }, { signal });
      for (const { id, customerId } of data) found.set(id, customerId);
      onProgress(found.size);
    }
  };
  await Promise.all(Array.from({ length: callsMax }, read));
  return found;
}
