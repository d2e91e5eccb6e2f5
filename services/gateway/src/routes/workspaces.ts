import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { inWorkspace, type Route, route } from '../route.ts';

const workspace = z
  .strictObject({ id: z.string(), name: z.string(), allowedDomains: z.array(z.string()) })
  .meta({ id: 'Workspace' });

/** Workspaces as an API key sees them. */
export function workspaceRoutes({ identity }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces',
      access: 'key',
      summary: 'List the workspaces that the key can access',
      data: z.array(workspace),
      handle: async (_input, call) => {
        const { workspaces } = await identity.batchGetWorkspaces(
          { ids: call.principal.workspaceIds },
          call.rpc(),
        );
        return { data: workspaces };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}',
      access: 'key',
      summary: 'Get a workspace',
      params: inWorkspace,
      data: workspace,
      handle: async ({ params }, call) => ({
        data: await identity.getWorkspace({ id: params.workspaceId }, call.rpc()),
      }),
    }),
  ];
}
