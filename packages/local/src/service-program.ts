import { connect } from 'node:net';
import { resolve } from 'node:path';
import type { Program } from './program.ts';
import type { ServiceName } from './service-names.ts';

const root = resolve(import.meta.dirname, '../../..');

// A service keeps little in memory: a small young generation and a bound on the old one keep all five small.
const nodeFlags = ['--max-semi-space-size=8', '--max-old-space-size=256'];

/** How to run one process of a service, listening at the address. */
export function serviceProgram(
  service: ServiceName,
  name: string,
  address: string,
  env: NodeJS.ProcessEnv,
): Program {
  return {
    name,
    command: async () => ({
      file: process.execPath,
      args: [...nodeFlags, resolve(root, 'services', service, 'src/main.ts')],
      env,
      stdinPipe: true,
    }),
    isReady: () => (service === 'gateway' ? answersReady(address) : accepts(address)),
    stopSignal: 'SIGTERM',
    alarmIn: alarmInLog,
  };
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
    const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
    if (level < 40) return undefined;
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
