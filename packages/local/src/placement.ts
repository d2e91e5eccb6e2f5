import { freePort, isFree } from './ports.ts';
import { join } from 'node:path';
import { isRecord, readKept } from './kept-file.ts';
import { writePrivateFile } from './private-file.ts';
import { StartError } from './program.ts';
import { type Replicas, type ServiceName, serviceNames } from './service-names.ts';

/** One process of a service. */
export interface ServiceProcess {
  service: ServiceName;
  /** The service's, numbered from 1 where there are several. */
  name: string;
  /** Where it listens, `host:port`. */
  address: string;
}

/** Where everything of a run listens. */
export interface Placement {
  postgresPort: number;
  natsPort: number;
  processes: ServiceProcess[];
}

const host = '127.0.0.1';

/**
 * A place for everything: the one it had in the last run of the data folder, unless another program is there now.
 * The first gateway gets the given port unless that is 0. Throws `StartError` when it is taken, or `ports.json` is broken.
 */
export async function choosePlaces(
  dataDir: string,
  gatewayPort: number,
  replicas: Replicas,
): Promise<Placement> {
  if (gatewayPort !== 0 && !(await isFree(gatewayPort, host))) {
    throw new StartError(`port ${gatewayPort} is taken; give another one with --port (0: any that is free)`);
  }
  const path = join(dataDir, 'ports.json');
  const kept = (await readKept(path, arePorts, 'remove it')) ?? {};
  const chosen: Record<string, number> = {};
  const choose = async (key: string): Promise<number> => {
    const last = kept[key];
    const others = new Set([gatewayPort, ...Object.values(kept), ...Object.values(chosen)]);
    const port = last && (await isFree(last, host)) ? last : await freePort(others);
    chosen[key] = port;
    return port;
  };

  const postgresPort = await choose('postgres');
  const natsPort = await choose('nats');
  const processes: ServiceProcess[] = [];
  for (const service of serviceNames) {
    const count = replicas[service] ?? 1;
    for (let number = 1; number <= count; number += 1) {
      const isGiven = service === 'gateway' && number === 1 && gatewayPort !== 0;
      const port = isGiven ? gatewayPort : await choose(`${service}-${number}`);
      const name = count === 1 ? service : `${service}-${number}`;
      processes.push({ service, name, address: `${host}:${port}` });
    }
  }
  await writePrivateFile(path, { ...kept, ...chosen });
  return { postgresPort, natsPort, processes };
}

function arePorts(value: unknown): value is Record<string, number> {
  const isPort = (port: unknown): boolean =>
    Number.isInteger(port) && Number(port) > 0 && Number(port) <= 65_535;
  return isRecord(value) && Object.values(value).every(isPort);
}

/** Where the processes of each service listen. */
export function addressesOf(processes: readonly ServiceProcess[]): Record<ServiceName, string[]> {
  const addresses = serviceNames.map((service) => [
    service,
    processes.filter((process) => process.service === service).map(({ address }) => address),
  ]);
  return Object.fromEntries(addresses) as Record<ServiceName, string[]>;
}
