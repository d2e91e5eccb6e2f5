import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@parley/postgres/connecting/client';
import { z } from 'zod';
import { type Forwarder, startForwarder } from './forwarder.ts';
import { type WatchedPair, waitForStandby, watchPair } from './pair-watch.ts';
import { type Cluster, postgresProgram } from './postgres.ts';
import { readJson, writePrivateJson } from '../files/private-files.ts';
import { type ServerProgram, StartError } from '../processes/program.ts';
import { copyToStandby, makePrimary } from './standby.ts';
import type { Supervisor } from '../processes/supervisor.ts';

/** The ports of two servers, and of the address that leads to the primary. */
export interface PairPorts {
  address: number;
  servers: Record<NodeName, number>;
}

interface PairOptions {
  dataDir: string;
  durable: boolean;
  ports: PairPorts;
  supervisor: Supervisor;
  show: (line: string) => void;
  /** Ends the watch, and the creation of a cluster: the run has begun to stop. */
  ending: AbortSignal;
  /** Sets up the databases, before the standby is copied. */
  provision: (url: string) => Promise<void>;
}

/** A primary and its standby behind one address. Disposing it closes the address. */
export interface PostgresPair extends Disposable {
  /** The administrator's URL of the address. */
  url: string;
}

const nodeNames = ['postgres-1', 'postgres-2'] as const;
type NodeName = (typeof nodeNames)[number];

const otherThan = (name: NodeName): NodeName => (name === 'postgres-1' ? 'postgres-2' : 'postgres-1');

const promoteSecondsMax = 20;
/** How long a first copy may take until commits wait for it. */
const completeMsMax = 30_000;

const primaryFile = 'postgres-primary.json';
const primarySchema = z.object({ primary: z.enum(nodeNames) });

async function readPrimary(dataDir: string): Promise<NodeName> {
  const found = await readJson(join(dataDir, primaryFile), primarySchema, 'remove it');
  return found?.primary ?? 'postgres-1';
}

function folderOf(dataDir: string, name: NodeName): string {
  return join(dataDir, name === 'postgres-1' ? 'postgres' : name);
}

/** Returns the folder of the primary of the last run of this data folder. */
export async function primaryFolder(dataDir: string): Promise<string> {
  return folderOf(dataDir, await readPrimary(dataDir));
}

export function pairFolders(dataDir: string): string[] {
  return nodeNames.map((name) => folderOf(dataDir, name));
}

/**
 * Starts a primary, and a copy of it as its synchronous standby. Returns when commits wait for the standby.
 *
 * When the primary ends, or is killed because it does not answer for some seconds, the standby is promoted, and the
 * other server returns as a copy of it. Commits do not wait for a standby that has ended. One that may lack commits is
 * not promoted: the primary starts again instead. Throws `StartError`.
 */
export async function startPostgresPair(options: PairOptions): Promise<PostgresPair> {
  const { dataDir, ports, ending } = options;
  const first = await readPrimary(dataDir);
  const forwarder = await startForwarder(ports.address);
  try {
    const { startServer, watched } = supervisePair(options, first, forwarder);
    await startServer(first);
    await options.provision(watched.primaryUrl());
    await sharePassword(folderOf(dataDir, first), folderOf(dataDir, otherThan(first)));
    await startServer(otherThan(first));
    void watchPair(watched, ending);
    await untilComplete(watched, ending);
    const url = new URL(watched.primaryUrl());
    url.port = String(ports.address);
    return { url: url.href, [Symbol.dispose]: () => forwarder[Symbol.dispose]() };
  } catch (error) {
    forwarder[Symbol.dispose]();
    throw error;
  }
}

/** Returns a function that starts a server, and what happens before each later start of one. */
function supervisePair(options: PairOptions, first: NodeName, forwarder: Forwarder) {
  const { dataDir, durable, ports, supervisor, show, ending } = options;
  let primary = first;
  const servers = {} as Record<NodeName, ServerProgram>;
  const clusters = {} as Record<NodeName, Cluster>;
  const watched: WatchedPair = {
    primaryUrl: () => servers[primary].url,
    primaryPid: () => supervisor.processes().find(({ name }) => name === primary)?.pid,
    isComplete: false,
    onComplete: () => show(`${otherThan(primary)} has all commits of ${primary}, and may replace it`),
  };

  const failOver = async (): Promise<void> => {
    const next = otherThan(primary);
    forwarder.leadTo(undefined);
    await promote(servers[next].url);
    const former = primary;
    primary = next;
    await writePrivateJson(join(dataDir, primaryFile), { primary });
    forwarder.leadTo(servers[next].port);
    show(`${next} is promoted in place of ${former}`);
  };

  const prepare = async (name: NodeName, cluster: Cluster): Promise<void> => {
    clusters[name] = cluster;
    const isPromotable = watched.isComplete && name === primary;
    watched.isComplete = false;
    // If that fails, the standby has ended too, and this server has all commits.
    if (isPromotable) await failOver().catch((error: Error) => show(`no failover: ${error.message}`));
    if (name === primary) {
      await makePrimary(cluster);
      forwarder.leadTo(servers[name].port);
      return;
    }
    await waitForStandby(servers[primary].url, false);
    await copyToStandby(servers[primary].url, clusters[primary].folder, cluster);
  };

  const startServer = async (name: NodeName): Promise<void> => {
    servers[name] = await postgresProgram({
      dataDir: folderOf(dataDir, name),
      name,
      port: ports.servers[name],
      durable,
      replicates: true,
      isCopied: name !== primary,
      signal: ending,
      prepare: (cluster) => prepare(name, cluster),
    });
    await supervisor.start(servers[name].program);
  };

  return { startServer, watched };
}

async function promote(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ isDone: boolean }>('select pg_promote(true, $1) as "isDone"', [
      promoteSecondsMax,
    ]);
    if (!rows[0]?.isDone) throw new Error(`no promotion within ${promoteSecondsMax} s`);
  });
}

/** The copy of a cluster has its passwords. */
async function sharePassword(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const password = await readFile(join(from, 'password'), 'utf8');
  await writeFile(join(to, 'password'), password, { mode: 0o600 });
}

async function untilComplete(pair: WatchedPair, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + completeMsMax;
  while (!pair.isComplete) {
    signal.throwIfAborted();
    if (Date.now() > deadline) throw new StartError('the standby of Postgres does not follow the primary');
    await delay(50);
  }
}
