import { type AppError, isOurFault, toAppError } from '@parley/runtime/errors';
import { counter, histogram, observedGauge } from '@parley/runtime/metrics/metrics';
import { statusName } from './wire/status.ts';

const attributes = ['rpc.system.name', 'rpc.method', 'rpc.response.status_code', 'error.type'] as const;

export const serverDuration = histogram({
  name: 'rpc.server.call.duration',
  description: 'Duration of calls from other processes',
  attributes,
});

export const clientDuration = histogram({
  name: 'rpc.client.call.duration',
  description: 'Duration of calls to other processes',
  attributes,
});

export const refusals = counter({
  name: 'parley.rpc.refusals',
  unit: '{call}',
  description:
    'Calls refused because of their caller or its grant: a wrong setting, or a service that was taken over',
  attributes: ['caller', 'network.peer.address'],
});

/** Each address is a series. Later ones are `other`. */
const refusedAddressesMax = 100;
const refusedAddresses = new Set<string>();

/** Reports zero before the first refusal, so that the metric is there. */
export function showRefusals(): void {
  refusals.add({ caller: 'none', 'network.peer.address': 'none' }, 0);
}

/** Counts a call that this process refuses because of who makes it. */
export function countRefusal(caller: string, address: string): void {
  const isNamed = refusedAddresses.has(address) || refusedAddresses.size < refusedAddressesMax;
  if (isNamed) refusedAddresses.add(address);
  refusals.add({ caller, 'network.peer.address': isNamed ? address : 'other' });
}

export const certificateExpiration = observedGauge({
  name: 'parley.rpc.certificate.expiration',
  unit: 's',
  description: 'When the certificate for calls between services expires, as a Unix time',
});

export const clockAheadOfIdentity = observedGauge({
  name: 'parley.rpc.clock.ahead',
  unit: 's',
  description:
    'How far the clock of the process is ahead of the clock of identity; beyond 55 s either way it is not ready',
});

export const refusingPeers = observedGauge({
  name: 'parley.rpc.peers.refusing',
  unit: '{service}',
  description:
    'Services that refuse the token or certificate of this process, or whose certificate it refuses; it is not ready',
});

// Kubelets, load balancers and `/readyz` make these continually, and also while a process starts.
const healthChecks = '/grpc.health.';

/** Records a call that ends now, unless it is a health check. `startedAtMs` is in `performance.now()` time. */
export function recordCall(
  duration: typeof serverDuration,
  path: string,
  startedAtMs: number,
  error?: AppError,
): void {
  if (path.startsWith(healthChecks)) return;
  const code = error ? statusName(error) : 'OK';
  duration.record((performance.now() - startedAtMs) / 1_000, {
    'rpc.system.name': 'grpc',
    'rpc.method': path.slice(1),
    'rpc.response.status_code': code,
    // As for spans, a refusal is an ordinary answer.
    ...(error && isOurFault(error) && { 'error.type': code }),
  });
}

export async function recordClientCall<T>(path: string, made: Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  try {
    const response = await made;
    recordCall(clientDuration, path, startedAtMs);
    return response;
  } catch (error) {
    recordCall(clientDuration, path, startedAtMs, toAppError(error));
    throw error;
  }
}
