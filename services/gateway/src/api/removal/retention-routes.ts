import type { RetentionChange } from '@parley/contracts/customer/v1/customer';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { retention, retentionDays, toRetention } from './present-retention.ts';
import { count } from '../../values/count.ts';

const change = z
  .strictObject(retentionDays)
  .partial()
  .refine(
    (given) => Object.keys(given).length > 0,
    'Must have at least one of completedDays, endedDays, draftDays',
  )
  .meta({ id: 'RetentionChange', minProperties: 1, examples: [{ completedDays: 365, endedDays: 90 }] });

const getRetention = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/retention',
  access: 'key',
  scope: 'workspace:read',
  operationId: 'getRetention',
  clientMethod: 'retention.get',
  tag: 'Workspaces',
  summary: 'Get how long the workspace keeps interactions',
  params: inWorkspace,
  data: retention,
  handle: async ({ params: { workspaceId } }, call, { customers }) => {
    const row = await customers.getRetention({ workspaceId }, call.rpc());
    return { data: toRetention(row), version: row.version };
  },
});

const updateRetention = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/retention',
  access: 'key',
  scope: 'workspace:write',
  operationId: 'updateRetention',
  clientMethod: 'retention.update',
  tag: 'Workspaces',
  summary: 'Change how long the workspace keeps interactions',
  description: `Days are counted from the last change of an interaction. Those whose time is over are deleted in small
batches from now on, as with \`DELETE\`, except those with open deliveries. See first what would be deleted:
\`POST /retention/preview\`.`,
  params: inWorkspace,
  body: change,
  data: retention,
  handle: async ({ params: { workspaceId }, body }, call, { customers }) => {
    const request = { workspaceId, change: toChange(body), ifVersion: call.ifVersion };
    const row = await customers.updateRetention(request, call.rpc());
    return { data: toRetention(row), version: row.version };
  },
});

const previewRetention = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/retention/preview',
  access: 'key',
  scope: 'workspace:read',
  operationId: 'previewRetention',
  clientMethod: 'retention.preview',
  tag: 'Workspaces',
  summary: 'Count the interactions that a change of the retention would delete now',
  params: inWorkspace,
  body: change,
  data: z
    .strictObject({
      interactions: count.meta({ description: 'In all', examples: [1200] }),
      completed: count.meta({ examples: [1000] }),
      ended: count.meta({ description: '`Expired` or `InProgress`', examples: [200] }),
      draft: count.meta({ description: '`Draft` or `Pending`', examples: [0] }),
    })
    .meta({ id: 'RetentionPreview' }),
  handle: async ({ params: { workspaceId }, body }, call, { customers }) => {
    const counts = await customers.previewRetention({ workspaceId, change: toChange(body) }, call.rpc());
    const { completed, ended, draft } = counts;
    return { data: { interactions: completed + ended + draft, completed, ended, draft } };
  },
});

/** 0 stands for null. */
function toChange(body: z.output<typeof change>): RetentionChange {
  return Object.fromEntries(Object.entries(body).map(([name, days]) => [name, days ?? 0]));
}

export const retentionRoutes: Route[] = [getRetention, updateRetention, previewRetention];
