import { join } from 'node:path';
import { serviceNames } from '@parley/contracts/services';
import { z } from 'zod';
import { freePort, isFree } from './ports.ts';
import { readJson, writePrivateJson } from './files/private-files.ts';
import type { PairPorts } from './postgres/postgres-pair.ts';
import { StartError } from './processes/program.ts';
import type { Replicas, ServiceProcess } from './processes/services.ts';

export interface Placement {
  postgresPorts: PairPorts;
  nats: NatsPlace[];
  tracesPort: number;
  processes: ServiceProcess[];
}

export interface NatsPlace {
  /** The name of the process: `nats`, in a cluster `nats-1` and so on. */
  name: string;
  port: number;
  /** Where a server of a cluster listens for the others. */
  routePort: number;
}

const portsSchema = z.record(z.string(), z.int().min(1).max(65_535));

/**
 * Chooses a port for everything: the one of the last run of the data folder, unless another program has it now. The
 * first gateway gets the given port unless that is 0. With metrics, each process gets a second port. Throws
 * `StartError` if the given port is taken, or if `ports.json` is broken.
 */
export async function choosePorts(
  dataDir: string,
  gatewayPort: number,
  { replicas, natsServers }: { replicas: Replicas; natsServers: number },
  hasMetrics: boolean,
): Promise<Placement> {
  if (gatewayPort !== 0 && !(await isFree(gatewayPort))) {
    throw new StartError(`port ${gatewayPort} is taken; give another one with --port (0: any that is free)`);
  }
  const path = join(dataDir, 'ports.json');
  const ports = (await readJson(path, portsSchema, 'remove it')) ?? {};
  const choose = async (key: string): Promise<number> => {
    const last = ports[key];
    const taken = new Set([gatewayPort, ...Object.values(ports)]);
    const isUsable = last !== undefined && last !== gatewayPort && (await isFree(last));
    const port = isUsable ? last : await freePort(taken);
    ports[key] = port;
    return port;
  };

  const postgresPorts = {
    address: await choose('postgres'),
    servers: { 'postgres-1': await choose('postgres-1'), 'postgres-2': await choose('postgres-2') },
  };
  const nats: NatsPlace[] = [];
  for (let number = 1; number <= natsServers; number += 1) {
    const name = natsServers === 1 ? 'nats' : `nats-${number}`;
    nats.push({ name, port: await choose(name), routePort: await choose(`${name}-route`) });
  }
  const tracesPort = await choose('traces');
  const processes: ServiceProcess[] = [];
  for (const service of serviceNames) {
    const count = replicas[service] ?? 1;
    for (let number = 1; number <= count; number += 1) {
      const isGiven = service === 'gateway' && number === 1 && gatewayPort !== 0;
      const port = isGiven ? gatewayPort : await choose(`${service}-${number}`);
      const name = count === 1 ? service : `${service}-${number}`;
      const metrics = hasMetrics && {
        metricsAddress: `127.0.0.1:${await choose(`${service}-${number}-metrics`)}`,
      };
      processes.push({ service, name, address: `127.0.0.1:${port}`, ...metrics });
    }
  }
  await writePrivateJson(path, ports);
  return { postgresPorts, nats, tracesPort, processes };
}
