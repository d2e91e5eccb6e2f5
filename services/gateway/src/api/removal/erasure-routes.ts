import { erasureLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { erasure, toErasure } from './present-erasure.ts';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { customerId, id } from '../../values/text.ts';

const filters = cursorQuery(erasureLimits.pageSizeMax).extend({
  customerId: customerId.optional().meta({
    description: 'Only erasures of this customer; none for an unknown customer',
  }),
});

const listErasures = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/erasures',
  access: 'key',
  scope: 'customers:read',
  operationId: 'listErasures',
  clientMethod: 'erasures.list',
  tag: 'Customers',
  summary: 'List the erasures, newest first',
  params: inWorkspace,
  query: filters,
  data: z.array(erasure),
  handle: async ({ params, query: { customerId, cursor = '', limit } }, call, { customers }) => {
    const list = await customers.listErasures({ ...params, customerId, cursor, limit }, call.rpc());
    return { data: list.erasures.map(toErasure), meta: cursorMeta(list.nextCursor) };
  },
});

const getErasure = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/erasures/{erasureId}',
  access: 'key',
  scope: 'customers:read',
  operationId: 'getErasure',
  clientMethod: 'erasures.get',
  tag: 'Customers',
  summary: 'Get the progress of an erasure',
  params: inWorkspace.extend({ erasureId: id.meta({ description: 'The id of the erasure' }) }),
  data: erasure,
  handle: async ({ params: { workspaceId, erasureId } }, call, { customers }) => {
    return { data: toErasure(await customers.getErasure({ workspaceId, id: erasureId }, call.rpc())) };
  },
});

/** Erasures remove a customer's personal data from every store in the background. */
export const erasureRoutes: Route[] = [listErasures, getErasure];
