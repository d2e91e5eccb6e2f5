import { z } from 'zod';
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

const listWorkspaces = route({
  method: 'GET',
  path: '/v1/workspaces',
  access: 'key',
  scope: 'any',
  operationId: 'listWorkspaces',
  clientMethod: 'workspaces.list',
  tag: 'Workspaces',
  summary: 'List the workspaces that the key can access',
  data: z.array(workspace),
  handle: async (_input, call, { identity }) => {
    const { workspaces } = await identity.batchGetWorkspaces(
      { workspaceIds: call.principal.workspaceIds },
      call.rpc(),
    );
    return { data: workspaces };
  },
});

const getWorkspace = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}',
  access: 'key',
  scope: 'workspace:read',
  operationId: 'getWorkspace',
  clientMethod: 'workspaces.get',
  tag: 'Workspaces',
  summary: 'Get a workspace',
  params: inWorkspace,
  data: workspace,
  handle: async ({ params }, call, { identity }) => ({
    data: await identity.getWorkspace({ id: params.workspaceId }, call.rpc()),
  }),
});

export const workspaceRoutes: Route[] = [listWorkspaces, getWorkspace];
