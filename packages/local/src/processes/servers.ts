import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { busAdmin } from '@parley/contracts/bus-users';
import { databaseServices, type ServiceName } from '@parley/contracts/services';
import { provision } from '@parley/postgres/schema/provision';
import { unprovision } from '@parley/postgres/schema/unprovision';
import { parseNatsUrl } from '@parley/runtime/config/nats-url';
import { readConsumers } from '../files/consumers.ts';
import { type ClusterMember, natsProgram } from './nats.ts';
import type { NatsPlace } from '../placement.ts';
import { isReachable } from '../ports.ts';
import { postgresProgram, removePostgres } from '../postgres/postgres.ts';
import { type PairPorts, pairFolders, primaryFolder, startPostgresPair } from '../postgres/postgres-pair.ts';
import { StartError } from './program.ts';
import { natsPassword, ownerId, type Secrets } from '../files/secrets.ts';
import type { Supervisor } from './supervisor.ts';

export interface ServerContext {
  dataDir: string;
  ephemeral: boolean;
  env: NodeJS.ProcessEnv;
  secrets: Secrets;
  supervisor: Supervisor;
  show: (line: string) => void;
  /** Aborted when the start fails or is interrupted. */
  signal: AbortSignal;
  /** Aborted when the run begins to stop. */
  ending: AbortSignal;
  /** Disposed after all processes have ended. */
  closing: DisposableStack;
  cleanup: AsyncDisposableStack;
}

export const database = 'parley';

/** The rest of the ten seconds of a stop after the processes have ended. */
const unprovisionMsMax = 3_000;

/**
 * Starts Postgres, with a standby if that is wanted, or uses the server of `DATABASE_URL`, and creates the database and
 * the roles. Returns the administrator's URL. Throws `StartError`. On a shared server, the databases and roles of
 * others are then unchanged.
 */
export async function ensurePostgres(
  context: ServerContext,
  ports: PairPorts,
  hasStandby: boolean,
): Promise<string> {
  const { dataDir, ephemeral, env, secrets, supervisor, cleanup } = context;
  const services = databaseServices.map((name) => ({ name, password: secrets.passwords[name] }));
  const given = env['DATABASE_URL'];
  if (given) {
    await requireReachable('DATABASE_URL', [given], '5432');
    const owner = { id: ownerId(secrets), place: dataDir };
    const options = { adminUrl: given, database, services, owner };
    const remove = (): Promise<void> => Promise.race([unprovision(options), failAfter(unprovisionMsMax)]);
    await provision(options).catch(async (cause: Error) => {
      if (ephemeral) await remove().catch(() => {});
      failProvision(cause);
    });
    if (ephemeral) cleanup.defer(remove);
    return given;
  }
  if (ephemeral) cleanup.defer(() => removeAll(pairFolders(dataDir)));
  const durable = !ephemeral;
  const setUp = (adminUrl: string): Promise<void> =>
    provision({ adminUrl, database, services }).catch(failProvision);
  if (hasStandby) {
    const ending = AbortSignal.any([context.signal, context.ending]);
    const pair = await startPostgresPair({ ...context, ending, durable, ports, provision: setUp });
    return context.closing.use(pair).url;
  }
  const folder = await primaryFolder(dataDir);
  const { signal } = context;
  const { program, url } = await postgresProgram({ dataDir: folder, port: ports.address, durable, signal });
  await supervisor.start(program);
  await setUp(url);
  return url;
}

async function removeAll(folders: readonly string[]): Promise<void> {
  await Promise.all(folders.map(removePostgres));
}

function failProvision(cause: Error): never {
  throw new StartError(`the database cannot be set up: ${cause.message}`, { cause });
}

async function failAfter(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false });
  throw new Error('the server does not answer');
}

/** The URLs of NATS. With several servers they have all addresses, with commas. */
export interface NatsUrls {
  /** With the administrator's user. */
  admin: string;
  /** With the user of the service. */
  ofService(service: ServiceName): string;
  /** With the user of each consumer of another team, by its name. */
  ofConsumers: Record<string, string>;
}

/** Where one server of a cluster reaches another one, `routePort` by default. */
export type NatsRoute = (from: string, to: string, routePort: number) => Promise<number>;

/**
 * Starts NATS, as a cluster if there are several places, or uses the server of `NATS_URL`, where all have its user.
 * Throws `StartError`.
 */
export async function ensureNats(
  context: ServerContext,
  places: readonly NatsPlace[],
  route?: NatsRoute,
): Promise<NatsUrls> {
  const { dataDir, env, secrets, supervisor, show, signal } = context;
  const given = env['NATS_URL'];
  if (given) {
    if (places.length > 1) throw new StartError('--nats starts servers, so NATS_URL must not name others');
    await requireReachable('NATS_URL', natsServersOf(given), '4222');
    return { admin: given, ofService: () => given, ofConsumers: {} };
  }
  const consumers = await readConsumers(dataDir);
  const passwordOf = (user: string): string => natsPassword(secrets, user);
  const start = async (place: NatsPlace): Promise<void> => {
    const { name, port } = place;
    const cluster = places.length > 1 ? await memberOf(place, places, passwordOf('route'), route) : undefined;
    const folder = { name, dataDir: join(dataDir, name), port, ...(cluster && { cluster }) };
    const { program } = await natsProgram({
      ...folder,
      passwordOf,
      consumers,
      env,
      onProgress: show,
      signal,
    });
    await supervisor.start(program);
  };
  await Promise.all(places.map(start));
  const urlOf = (user: string): string =>
    places.map(({ port }) => `nats://${user}:${passwordOf(user)}@127.0.0.1:${port}`).join(',');
  const ofConsumers = Object.fromEntries(consumers.map((name) => [name, urlOf(name)]));
  return { admin: urlOf(busAdmin), ofService: urlOf, ofConsumers };
}

async function memberOf(
  { name, routePort }: NatsPlace,
  places: readonly NatsPlace[],
  password: string,
  route?: NatsRoute,
): Promise<ClusterMember> {
  const others = places.filter((other) => other.name !== name);
  const peerPorts = await Promise.all(
    others.map(async (other) => route?.(name, other.name, other.routePort) ?? other.routePort),
  );
  return { routePort, peerPorts, password, isProxied: route !== undefined };
}

function natsServersOf(given: string): string[] {
  try {
    return parseNatsUrl(given).servers.map((server) => `nats://${server}`);
  } catch (cause) {
    throw new StartError(`NATS_URL ${cause instanceof Error ? cause.message : 'is malformed'}`, { cause });
  }
}

/** Throws `StartError` unless a server listens at one of the URLs. The error hides their passwords. */
async function requireReachable(variable: string, given: string[], defaultPort: string): Promise<void> {
  const urls = given.map((url) => URL.parse(url));
  if (urls.some((url) => !url?.hostname)) throw new StartError(`${variable} is not a URL`);
  const addresses = urls.map((url) => `${url?.hostname}:${url?.port || defaultPort}`);
  const answers = await Promise.all(addresses.map((address) => isReachable(address)));
  if (!answers.includes(true))
    throw new StartError(`${variable}: nothing can be reached at ${addresses.join(', ')}`);
}
