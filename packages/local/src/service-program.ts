import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import type { ServiceProcess } from './placement.ts';
import type { Program } from './program.ts';
import type { ServiceName } from './service-names.ts';

const root = resolve(import.meta.dirname, '../../..');

/**
 * How Node runs a service, as sparingly as the run itself: see `idle.ts`. Whatever runs under the same flags shares a
 * compile cache; under others, V8 would not take its code.
 */
export const nodeFlags = [
  ...readFileSync(resolve(import.meta.dirname, '../idle-flags'), 'utf8')
    .trim()
    .split(' '),
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

/**
 * The gateway says ready when it and every service behind it can serve. Asked by hand: an HTTP client would take some
 * 10 MB for as long as we run.
 */
function answersReady(address: string): Promise<boolean> {
  return reach(address, (socket, settle) => {
    socket.once('data', (bytes) => settle(bytes.toString('latin1').startsWith('HTTP/1.1 200 ')));
    socket.write(`GET /readyz HTTP/1.1\r\nhost: ${address}\r\nconnection: close\r\n\r\n`);
  });
}

function accepts(address: string): Promise<boolean> {
  return reach(address, (_socket, settle) => settle(true));
}

/** Connects and asks. False where nothing listens, or nothing comes within two seconds. */
function reach(
  address: string,
  ask: (socket: Socket, settle: (isThere: boolean) => void) => void,
): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host).setTimeout(2_000);
    const settle = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    const end = (): void => settle(false);
    socket.once('error', end).once('timeout', end).once('close', end);
    socket.once('connect', () => ask(socket, settle));
  });
}

/** What is of no use on a terminal, or is there already. */
const unshown = new Set(['level', 'time', 'service', 'msg', 'traceId', 'spanId']);

/**
 * Services log JSON lines with pino's levels, 40 is `warn`; a line that is none comes from Node itself. With the message go the
 * line's own fields, which say what it is about.
 */
export function alarmInLog(line: string): string | undefined {
  if (!line.startsWith('{')) return line.trim() || undefined;
  try {
    const { level, msg, err, ...others } = JSON.parse(line) as {
      level: number;
      msg?: string;
      err?: { message?: string };
    };
    if (level < 40) return undefined;
    const fields = Object.entries(others).filter(([name, value]) => !unshown.has(name) && isShort(value));
    const about = fields.map(([name, value]) => `${name} ${String(value)}`).join(', ');
    const message = about ? `${msg ?? ''} (${about})`.trim() : msg;
    return [message, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}

function isShort(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
