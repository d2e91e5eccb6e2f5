import { connect } from 'node:net';
import { resolve } from 'node:path';
import type { ServiceProcess } from './placement.ts';
import type { Program } from './program.ts';
import type { ServiceName } from './service-names.ts';

const root = resolve(import.meta.dirname, '../../..');

/** How Node runs a service. */
export const nodeFlags = [
  '--max-old-space-size=256',
  '--import',
  resolve(import.meta.dirname, 'idle-preload.ts'),
];

/** How to run one process of a service. */
export function serviceProgram({ service, name, address }: ServiceProcess, env: NodeJS.ProcessEnv): Program {
  return {
    name,
    command: async () => ({
      file: process.execPath,
      args: [...nodeFlags, serviceEntry(service)],
      env,
      stdinPipe: true,
    }),
    isReady: () => (service === 'gateway' ? answersReady(address) : accepts(address)),
    stopSignal: 'SIGTERM',
    alarmIn: alarmInLog,
  };
}

/** The file that a service is started by. */
export function serviceEntry(service: ServiceName): string {
  return resolve(root, 'services', service, 'src/main.ts');
}

/** The gateway says ready when it and every service behind it can serve. */
async function answersReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function accepts(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise((settle) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => socket.destroy() && settle(true)).once('error', () => settle(false));
  });
}

/** Services log JSON lines with pino's levels, 40 is `warn`; a line that is none comes from Node itself. */
export function alarmInLog(line: string): string | undefined {
  if (!line.startsWith('{')) return line.trim() || undefined;
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level: number;
      msg?: string;
      err?: { message?: string };
    };
    if (level < 40) return undefined;
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
