import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWorkspace } from './workspace.tsx';

/**
 * Returns the names of members by the id of the person, and of API keys by their ids, as far as they may be seen. Reads
 * them again if one that is `needed` is not among them: somebody may have joined.
 */
export function useNames(needed: readonly string[] = []): Record<string, string> {
  const { id: workspaceId, client, can } = useWorkspace();
  const cache = useQueryClient();
  const { data } = useQuery({
    // Below the key of the list of members, so that a change of it reaches the names.
    queryKey: [workspaceId, 'members', 'names'],
    queryFn: async ({ signal }): Promise<Record<string, string>> => {
      const names: Record<string, string> = {};
      for await (const { personId, name } of client.members.list({}, { signal })) {
        if (personId !== null && name !== null) names[personId] = name;
      }
      if (can('keys:read')) {
        for await (const { apiKey, name } of client.keys.list({}, { signal })) {
          if (name !== '') names[apiKey] = name;
        }
      }
      return names;
    },
    staleTime: 60_000,
    enabled: can('workspace:read'),
  });
  const unknown = data ? needed.filter((id) => !(id in data)).join() : '';
  useEffect(() => {
    if (unknown !== '') void cache.invalidateQueries({ queryKey: [workspaceId, 'members', 'names'] });
  }, [cache, workspaceId, unknown]);
  return data ?? noNames;
}

const noNames: Record<string, string> = {};

/** Returns a function that names a member or an API key by its id. Other ids stay. */
export function useNameOf(): (id: string) => string {
  const names = useNames();
  return (id) => names[id] ?? id;
}
