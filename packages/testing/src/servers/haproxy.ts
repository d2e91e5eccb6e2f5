import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort, isReachable } from '@parley/local/ports';
import { startServer } from '@parley/local/processes/program';
import { findDistributionProgram } from './distribution-program.ts';
import { temporaryFolder } from '../setup/folders.ts';

const shipped = resolve(import.meta.dirname, '../../../../deploy/haproxy.cfg');

/** A balancer in front of one gateway. */
export interface Balancer {
  /** The base URL of the gateway through it. */
  url: string;
  /** Returns how many gateways get requests. */
  readyGateways(): Promise<number>;
}

/**
 * Starts Debian's HAProxy with the settings of `deploy/haproxy.cfg` for gateways, and one gateway at a fixed address. A
 * string says why it cannot be had; throws instead if CI is set.
 */
export async function startHaproxy(stack: AsyncDisposableStack, gateway: string): Promise<Balancer | string> {
  const found = await findDistributionProgram('haproxy', 'usr/sbin/haproxy');
  if (typeof found === 'string') return found;
  const { path } = stack.use(await temporaryFolder('haproxy'));
  const [port, countPort] = [await freePort(), await freePort()];
  const file = join(path, 'haproxy.cfg');
  await writeFile(file, settingsFor(await readFile(shipped, 'utf8'), gateway, port, countPort));
  const program = {
    name: 'haproxy',
    command: async () => ({
      file: found.path,
      args: ['-db', '-f', file],
      env: { ...process.env, ...found.env },
    }),
    isReady: () => isReachable(`127.0.0.1:${port}`),
    stopSignal: 'SIGTERM' as const,
    alarmIn: () => undefined,
  };
  const url = `http://127.0.0.1:${port}`;
  stack.use(await startServer({ program, port, url }, join(path, 'haproxy.log')));
  return {
    url,
    readyGateways: async () => Number(await (await fetch(`http://127.0.0.1:${countPort}`)).text()),
  };
}

/** Returns the settings of gateways with other addresses. Settings of the command line's calls are left out. */
function settingsFor(text: string, gateway: string, port: number, countPort: number): string {
  const replaced = (from: RegExp, to: string) => (before: string) => {
    if (!from.test(before)) throw new Error(`haproxy.cfg has no ${from.source}`);
    return before.replace(from, to);
  };
  return [
    replaced(/\ndefaults\n {2}mode tcp[^]*$/, '\n'),
    replaced(/resolvers engine\n(?: {2}.*\n)+/, ''),
    replaced(/bind :3000/, `bind 127.0.0.1:${port}`),
    replaced(/bind 127\.0\.0\.1:8404/, `bind 127.0.0.1:${countPort}`),
    replaced(/server-template gateway 1-20 gateway:3000/, `server gateway ${gateway}`),
    replaced(/ resolvers engine init-addr none/, ''),
  ].reduce((settings, replace) => replace(settings), text);
}
