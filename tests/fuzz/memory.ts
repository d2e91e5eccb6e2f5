import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from '@parley/local/processes/child';
import { serviceNames } from '@parley/contracts/services';
import { eventually } from '@parley/testing/eventually';
import type { System } from '@parley/local/system';

/** The memory of a service after a garbage collection, in bytes. */
export interface Memory {
  heapUsed: number;
  external: number;
  rss: number;
}

/** Makes a service report its memory. */
export function watched(command: Command): Command {
  return { ...command, args: ['--import', resolve(import.meta.dirname, 'heap-report.ts'), ...command.args] };
}

/** The current memory of each service: the minimum of several reports, because work in flight does not count. */
export async function memoryOf(system: System): Promise<Record<string, Memory>> {
  const looks = 3;
  const of = async (name: string): Promise<Memory> => {
    const pid = system.local().processes.find((one) => one.name === name)?.pid ?? 0;
    const log = join(system.dataDir, 'logs', `${name}.log`);
    const before = (await reportsIn(log)).length;
    for (let look = 1; look <= looks; look += 1) {
      process.kill(pid, 'SIGUSR2');
      await eventually(async () => {
        if ((await reportsIn(log)).length < before + look) throw new Error(`${name} has not reported`);
      });
    }
    const reports = (await reportsIn(log)).slice(before);
    const least = (field: keyof Memory): number => Math.min(...reports.map((one) => one[field]));
    return { heapUsed: least('heapUsed'), external: least('external'), rss: least('rss') };
  };
  return Object.fromEntries(
    await Promise.all(serviceNames.map(async (name) => [name, await of(name)] as const)),
  );
}

async function reportsIn(log: string): Promise<Memory[]> {
  const text = await readFile(log, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.includes('"msg":"heap"'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Memory);
}

const megabyte = 1024 * 1024;
const growthBytesMax = 12 * megabyte;

/** Returns the growth between two reports that caches and compiled code do not explain. */
export function grown(before: Record<string, Memory>, after: Record<string, Memory>): string[] {
  return Object.entries(after).flatMap(([name, now]) => {
    const then = before[name];
    const held = ({ heapUsed, external }: Memory): number => heapUsed + external;
    const more = then ? held(now) - held(then) : 0;
    return more > growthBytesMax ? [`${name} holds ${(more / megabyte).toFixed(1)} MB more than before`] : [];
  });
}

export function memoryTable(before: Record<string, Memory>, after: Record<string, Memory>): string {
  const show = ({ heapUsed, external, rss }: Memory): string =>
    [heapUsed, external, rss].map((bytes) => (bytes / megabyte).toFixed(1).padStart(7)).join('');
  const lines = Object.entries(after).map(([name, now]) => {
    const then = before[name];
    return `${name.padEnd(12)}${then ? show(then) : ''}  →${show(now)}`;
  });
  return ['MB            heap  outer  resident', ...lines].join('\n');
}
