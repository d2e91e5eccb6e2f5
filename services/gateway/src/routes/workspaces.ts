import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';
import { id } from '../values/text.ts';

const workspace = z
  .strictObject({
    id,
    name: z.string().meta({ examples: ['Shop'] }),
    allowedDomains: z.array(z.string()).meta({
      description: 'Origins of pages that may use the browser SDK',
      examples: [['https://shop.example']],
    }),
  })
  .meta({ id: 'Workspace' });

/** Workspaces as an API key sees them. */
export function workspaceRoutes({ identity }: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces',
      access: 'key',
      operationId: 'listWorkspaces',
      tag: 'Workspaces',
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
      operationId: 'getWorkspace',
      tag: 'Workspaces',
      summary: 'Get a workspace',
      params: inWorkspace,
      data: workspace,
      handle: async ({ params }, call) => ({
        data: await identity.getWorkspace({ id: params.workspaceId }, call.rpc()),
      }),
    }),
  ];
}
