import { unavailable } from '@parley/runtime/errors';
import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { type Route, route } from '../http/route.ts';

const health = z.strictObject({ status: z.literal('ok') });

/** `/healthz`: the process lives. `/readyz`: it and all services behind it can serve; 503 otherwise. */
export function healthRoutes(peers: Peers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/healthz',
      access: 'public',
      operationId: 'getHealth',
      tag: 'System',
      summary: 'Whether the gateway lives',
      data: health,
      handle: async () => ({ data: { status: 'ok' as const } }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      access: 'public',
      operationId: 'getReadiness',
      tag: 'System',
      summary: 'Whether the gateway and the services behind it can serve',
      errors: ['unavailable'],
      data: health,
      handle: async (_input, call) => {
        if (call.isStopping()) throw unavailable('stopping');
        const unready = await peers.unready();
        if (unready.length > 0) throw unavailable(`not serving: ${unready.join(', ')}`);
        return { data: { status: 'ok' as const } };
      },
    }),
  ];
}
