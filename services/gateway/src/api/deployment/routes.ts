import { type Route, route } from '../../http/server/route.ts';
import { deployment, toDeployment } from './present.ts';

const getDeployment = route({
  method: 'GET',
  path: '/v1/deployment',
  access: 'key',
  scope: 'operator',
  operationId: 'getDeployment',
  clientMethod: 'deployment.get',
  tag: 'Deployment',
  summary: 'Get whether everything is well: services, events, stream and deliveries',
  description: `The limits are those of the alerts, without their waiting time. A replica that does not answer is shown
as silent. The answer is up to a second old, and has no data of a workspace.`,
  data: deployment,
  handle: async (_input, _call, { deployment: read, publicUrl }) => ({
    data: toDeployment(await read(), publicUrl),
  }),
});

export const deploymentRoutes: Route[] = [getDeployment];
