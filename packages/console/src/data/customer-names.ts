import type { Customer } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { isHidden } from '../ui/hidden-text.ts';
import { useWorkspace, type Workspace } from './workspace.tsx';

/** Undefined without a name, and if the person may not see it. */
export function nameIn({ firstName, lastName }: Customer): string | undefined {
  if (isHidden(firstName)) return undefined;
  return `${firstName} ${lastName}`.trim() || undefined;
}

/** How long ids are collected for one call: the rows of a list are drawn one after another. */
const collectMs = 20;
const idsMax = 100;

interface Waiting {
  id: string;
  found(name: string | null): void;
  failed(error: unknown): void;
}

/** The ids that are asked for next, by workspace. */
const waiting = new Map<string, Waiting[]>();

/** Reads the name together with others that are needed at the same time. Null without a name. */
export function customerNameOf(
  { id: workspaceId, client }: Pick<Workspace, 'id' | 'client'>,
  id: string,
): Promise<string | null> {
  return new Promise((found, failed) => {
    const asked = waiting.get(workspaceId) ?? [];
    asked.push({ id, found, failed });
    if (asked.length === 1) {
      waiting.set(workspaceId, asked);
      setTimeout(() => {
        waiting.delete(workspaceId);
        for (let start = 0; start < asked.length; start += idsMax) {
          void answer(client, asked.slice(start, start + idsMax));
        }
      }, collectMs);
    }
  });
}

async function answer(client: Workspace['client'], asked: Waiting[]): Promise<void> {
  try {
    const { data } = await client.customers.list({ ids: asked.map(({ id }) => id).join(',') });
    const names = new Map(data.map((customer) => [customer.id, nameIn(customer) ?? null]));
    for (const { id, found } of asked) found(names.get(id) ?? null);
  } catch (error) {
    for (const { failed } of asked) failed(error);
  }
}

/** Undefined without a name, if the person may not see it, and while it is loaded. */
export function useCustomerName(id: string): string | undefined {
  const workspace = useWorkspace();
  const { data } = useQuery({
    queryKey: [workspace.id, 'customers', 'name', id],
    queryFn: () => customerNameOf(workspace, id),
    // The API takes no id with a comma in a list of them.
    enabled: workspace.can('customers:read') && workspace.can('personal-data:read') && !id.includes(','),
    staleTime: 5 * 60_000,
  });
  return data ?? undefined;
}
