import { unavailable } from '@parley/runtime/errors';
import { version } from '@parley/runtime/version';
import { z } from 'zod';
import { type Route, route } from '../../http/server/route.ts';
import { type PeerName, peerNames } from '../../peers.ts';

const health = z.strictObject({ status: z.literal('ok') });

const life = health.extend({
  version: z.string().meta({ description: 'The version of Parley that runs', examples: ['0.2.0'] }),
});

const getHealth = route({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  operationId: 'getHealth',
  tag: 'System',
  summary: 'Check that the gateway runs',
  data: life,
  handle: async () => ({ data: { status: 'ok' as const, version } }),
});

const peerName = z.enum(peerNames);

const streamState = z.strictObject({
  replicas: z
    .number()
    .int()
    .meta({ description: 'Its replicas, as configured', examples: [3] }),
  online: z
    .number()
    .int()
    .meta({ description: 'Those that are up to date; 0 without a leader or a quorum', examples: [3] }),
});

const readiness = health.extend({
  unavailable: z.array(peerName).meta({
    description: 'The services that cannot serve now. Calls that need them answer 503.',
    examples: [[]],
  }),
  outOfSpace: z.array(peerName).meta({
    description:
      'The services whose database has no space left, as far as their replicas say. Reads succeed, and changes that ' +
      'need space answer 503.',
    examples: [[]],
  }),
  stream: streamState.nullable().meta({
    description:
      'The stream that carries events; null while it cannot be read. No call needs it: without it, events are read ' +
      'in the event log, some seconds later.',
    examples: [{ replicas: 3, online: 3 }],
  }),
});

/** Calls with a key need identity, calls of browsers need interaction. */
export const neededForAny: readonly PeerName[] = ['identity', 'interaction'];

/** Returns whether a part of the API can be served: one of the needed services is available. */
export function canServe(needed: readonly PeerName[], unready: readonly PeerName[]): boolean {
  return needed.some((name) => !unready.includes(name));
}

const getReadiness = route({
  method: 'GET',
  path: '/readyz',
  access: 'public',
  operationId: 'getReadiness',
  tag: 'System',
  summary: 'Check that the gateway can serve requests',
  description:
    '200 while a part of the API can be served; `unavailable` names the services whose calls answer 503. Otherwise ' +
    '503, whose `detail` names them. With `service`, whether that one can serve.',
  errors: ['unavailable'],
  query: z.object({
    service: peerName.optional().meta({
      description: 'Asks for this service alone; 503 if it is not deployed',
      examples: ['interaction'],
    }),
  }),
  data: readiness,
  handle: async ({ query: { service } }, call, deps) => {
    if (call.isStopping()) throw unavailable(new Error('stopping'));
    const names = service ? [service] : deps.deployed;
    const asked = Promise.all([deps.unready(names), deps.outOfSpace(names), deps.streamState()]);
    const [unready, outOfSpace, stream = null] = await asked;
    const needed = service ? [service] : neededForAny;
    if (!canServe(needed, unready)) {
      const missing = unready.join(', ');
      throw unavailable(new Error(`not serving: ${missing}`), `Not available at the moment: ${missing}`);
    }
    const { replicas = 0, online = 0 } = stream ?? {};
    const state = stream && { replicas, online };
    return { data: { status: 'ok' as const, unavailable: unready, outOfSpace, stream: state } };
  },
});

/** `/healthz`: the process runs. `/readyz`: it can serve a part of the API, otherwise 503. */
export const healthRoutes: Route[] = [getHealth, getReadiness];
