import { queryOptions, useQuery } from '@tanstack/react-query';
import { useWorkspace, type Workspace } from './workspace.tsx';

export const brandingQuery = ({ id, client }: Workspace) =>
  queryOptions({
    queryKey: [id, 'branding'],
    queryFn: ({ signal }) => client.branding.get({ signal }),
    staleTime: 60_000,
  });

export function useBranding() {
  const workspace = useWorkspace();
  return useQuery({ ...brandingQuery(workspace), enabled: workspace.can('workspace:read') });
}
