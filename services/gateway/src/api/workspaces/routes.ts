import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { shortList } from '../../values/short-list.ts';
import { id } from '../../values/text.ts';

const domainsMax = 100;
const domainCharactersMax = 2048;

const workspace = z
  .strictObject({
    id,
    name: z.string().meta({ examples: ['Shop'] }),
    allowedDomains: z.array(z.string()).meta({
      description:
        'Origins of pages that may use the browser SDK, and show the portal in a frame. `https://*.shop.example` is ' +
        'every host below shop.example',
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

const setAllowedDomains = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/allowed-domains',
  access: 'key',
  scope: 'workspace:write',
  operationId: 'setAllowedDomains',
  clientMethod: 'workspaces.setAllowedDomains',
  tag: 'Workspaces',
  summary: 'Replace the allowed domains of a workspace',
  description: 'Gateways may use the former ones for ten more seconds.',
  params: inWorkspace,
  body: z
    .strictObject({ allowedDomains: shortList(domainsMax, z.array(z.string().max(domainCharactersMax))) })
    .meta({ id: 'AllowedDomains', examples: [{ allowedDomains: ['https://shop.example'] }] }),
  data: workspace,
  handle: async ({ params, body }, call, { identity }) => ({
    data: await identity.updateWorkspace({ ...params, ...body }, call.rpc()),
  }),
});

export const workspaceRoutes: Route[] = [listWorkspaces, getWorkspace, setAllowedDomains];
