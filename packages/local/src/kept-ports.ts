import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, isFree } from './ports.ts';
import { writePrivateFile } from './private-file.ts';

/** A port for each name: the one it had in the last run of the data folder, unless another program has it now. */
export async function keptPorts(dataDir: string, names: readonly string[]): Promise<Map<string, number>> {
  const path = join(dataDir, 'ports.json');
  const kept = JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as Record<string, number>;
  const ports = new Map<string, number>();
  for (const name of names) {
    const last = kept[name];
    const taken = new Set([...ports.values(), ...Object.values(kept)]);
    ports.set(name, last && (await isFree(last)) ? last : await freePort(taken));
  }
  await writePrivateFile(path, { ...kept, ...Object.fromEntries(ports) });
  return ports;
}
