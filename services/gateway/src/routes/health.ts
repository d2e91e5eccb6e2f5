import { unavailable } from '@parley/runtime/errors';
import { version } from '@parley/runtime/version';
import { z } from 'zod';
import { type Route, route } from '../http/route.ts';

const health = z.strictObject({ status: z.literal('ok') });

const life = health.extend({
  version: z.string().meta({ description: 'The version of Parley that runs', examples: ['0.1.0'] }),
});

const getHealth = route({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  operationId: 'getHealth',
  tag: 'System',
  summary: 'Whether the gateway lives',
  data: life,
  handle: async () => ({ data: { status: 'ok' as const, version } }),
});

const getReadiness = route({
  method: 'GET',
  path: '/readyz',
  access: 'public',
  operationId: 'getReadiness',
  tag: 'System',
  summary: 'Whether the gateway and the services behind it can serve',
  errors: ['unavailable'],
  data: health,
  handle: async (_input, call, deps) => {
    if (call.isStopping()) throw unavailable('stopping');
    const unready = await deps.unready();
    if (unready.length > 0) throw unavailable(`not serving: ${unready.join(', ')}`);
    return { data: { status: 'ok' as const } };
  },
});

/** `/healthz`: the process runs. `/readyz`: it and all services can serve, otherwise 503. */
export const healthRoutes: Route[] = [getHealth, getReadiness];
