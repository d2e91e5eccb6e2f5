import { resolve } from 'node:path';
import type { ServiceName } from '@parley/contracts/services';
import { isReachable } from '../ports.ts';
import type { Program } from './program.ts';

/** How many replicas of each service run. Default: one. */
export type Replicas = Partial<Record<ServiceName, number>>;

export interface ServiceProcess {
  service: ServiceName;
  /** The name of the service, with a number from 1 if there are several. */
  name: string;
  /** The address where it listens, `host:port`. */
  address: string;
  /** Where it serves its metrics, `host:port`; undefined if nowhere. */
  metricsAddress?: string;
}

export function serviceProgram(
  { service, name, address, metricsAddress }: ServiceProcess,
  shared: NodeJS.ProcessEnv,
): Program {
  const env = { ...shared, ...(metricsAddress && { METRICS_LISTEN: metricsAddress }) };
  return {
    name,
    ...(metricsAddress && { metricsUrl: `http://${metricsAddress}/metrics` }),
    command: async () => ({ file: process.execPath, args: [serviceEntry(service)], env, stdinPipe: true }),
    // The gateway is ready when every service behind it can serve.
    isReady: () => (service === 'gateway' ? isGatewayReady(address) : isReachable(address)),
    stopSignal: 'SIGTERM',
    alarmIn: alarmInLog,
  };
}

/** Returns the file that starts a service in a local run: the gateway has the demo. */
export function serviceEntry(service: ServiceName): string {
  const file = service === 'gateway' ? 'src/demo/main.ts' : 'src/main.ts';
  return resolve(import.meta.dirname, '../../../../services', service, file);
}

async function isGatewayReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(2_000) });
    const { data } = (await response.json()) as { data: { unavailable: string[] } | null };
    return response.ok && data?.unavailable.length === 0;
  } catch {
    return false;
  }
}

/** Fields of a log line that are useless on a terminal, or already shown. */
const unshownFields = new Set(['level', 'time', 'service', 'msg', 'traceId', 'spanId']);

/**
 * Returns the message of a warning or an error with its own short fields and its cause. Services log JSON
 * lines with pino's levels, where 40 is `warn`; other lines are from Node itself.
 */
export function alarmInLog(line: string): string | undefined {
  if (!line.startsWith('{')) return line.trim() || undefined;
  try {
    const {
      level,
      msg = '',
      err,
      ...others
    } = JSON.parse(line) as {
      level: number;
      msg?: string;
      err?: { message?: string };
    };
    if (level < 40) return undefined;
    const about = Object.entries(others)
      .filter(
        ([name, value]) => !unshownFields.has(name) && ['string', 'number', 'boolean'].includes(typeof value),
      )
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ');
    const message = about ? `${msg} (${about})`.trim() : msg;
    return [message, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
