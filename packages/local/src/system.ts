import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { databaseUrl, provision } from '@parley/postgres/provision';
import { lockDataDir } from './data-lock.ts';
import { ensureDemo, type OperatorAccess } from './demo.ts';
import { environmentOf, grpcAddress, inheritedEnvironment, type Layout } from './environment.ts';
import { keptPorts } from './kept-ports.ts';
import { isFree } from './ports.ts';
import { removePostgres } from './postgres.ts';
import { type StopStage, type Supervisor, supervise } from './processes.ts';
import { StartError } from './program.ts';
import {
  endLeftoverRun,
  type LocalRun,
  removeRunFiles,
  writeLocalFile,
  writeOperatorFile,
} from './run-files.ts';
import { keptSecrets } from './secrets.ts';
import { startBus, startDatabase } from './servers.ts';
import {
  databaseServices,
  processNames,
  type Replicas,
  type ServiceName,
  serviceNames,
} from './service-names.ts';
import { serviceProgram } from './service-program.ts';
import { ensureWelcome } from './welcome.ts';

export interface SystemOptions {
  /** Everything that the run keeps is in here; the same folder again is the same data, key and ports. */
  dataDir: string;
  /** The folder is removed at the end, and its data need not survive a crash of the machine. */
  ephemeral?: boolean;
  /** Where the first gateway listens; 0 and nothing: any free port. */
  port?: number;
  replicas?: Replicas;
  /** Delays between the attempts of a webhook delivery, for tests that cannot wait. */
  webhookRetryScheduleSeconds?: readonly number[];
  /** Of which `DATABASE_URL`, `NATS_URL`, `NATS_SERVER_BIN`, `LOG_LEVEL`, `OTEL_*` and the like are taken. */
  env: NodeJS.ProcessEnv;
  /** Told what happens, a line at a time: progress, restarts, alarming lines of the children. */
  show?: (line: string) => void;
  /** Aborting it while the run starts ends the start with an error; nothing is left behind. */
  signal?: AbortSignal;
}

/** The whole service, running. Disposing of it is stopping it. */
export interface System extends AsyncDisposable {
  /** What `local.json` says now; `processes` follows restarts. */
  local(): LocalRun;
  operator: OperatorAccess;
  /** Opens a talk with a sample bot. */
  welcomeLink: string;
  /** Drains and ends everything within ten seconds. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): Promise<void>;
}

const host = '127.0.0.1';
const database = 'parley';
const isGateway = (name: string): boolean => name.startsWith('gateway');
const isServer = (name: string): boolean => name === 'postgres' || name === 'nats';

// First nothing new comes in, then what is under way ends, then what it needs goes. In sum less than ten seconds.
const stopStages: readonly StopStage[] = [
  { matches: isGateway, graceMs: 3_500 },
  { matches: (name) => !isGateway(name) && !isServer(name), graceMs: 3_000 },
  { matches: isServer, graceMs: 2_500 },
];

/**
 * Starts Postgres and NATS (or uses given ones) and the five services, and makes the demo workspace. Answers when all
 * is ready and `local.json` is written. When it cannot, it throws `StartError` and has stopped what it had started.
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const lock = await lockDataDir(dataDir);
  const show = options.show ?? (() => {});

  let local: LocalRun | undefined;
  let writing = Promise.resolve();
  const supervisor = supervise({
    logDir: join(dataDir, 'logs'),
    show,
    onChange: () => {
      if (!local) return;
      const run = { ...local, processes: supervisor.processes() };
      local = run;
      writing = writing.then(() => writeLocalFile(dataDir, run));
    },
  });
  const end = async (stopChildren: () => Promise<void>): Promise<void> => {
    await stopChildren();
    await writing;
    await removeRunFiles(dataDir);
    await lock.release();
    if (!options.ephemeral) return;
    await removePostgres(join(dataDir, 'postgres'));
    await rm(dataDir, { recursive: true, force: true });
  };
  const stop = (): Promise<void> => end(() => supervisor.stop(stopStages));
  const onAbort = (): void => void supervisor.kill();
  options.signal?.addEventListener('abort', onAbort);

  try {
    await endLeftoverRun(dataDir);
    const started = await bringUp({ ...options, dataDir, show }, supervisor);
    options.signal?.throwIfAborted();
    local = started.local;
    await writeOperatorFile(dataDir, started.operator);
    await writeLocalFile(dataDir, local);
    return {
      local: () => local ?? started.local,
      operator: started.operator,
      welcomeLink: started.welcomeLink,
      stop,
      kill: () => end(supervisor.kill),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
  }
}

interface Started {
  local: LocalRun;
  operator: OperatorAccess;
  welcomeLink: string;
}

/** Everything from the ports to the demo workspace, as parallel as it can be. */
async function bringUp(
  options: SystemOptions & { dataDir: string; show: (line: string) => void },
  supervisor: Supervisor,
): Promise<Started> {
  const { dataDir, env, show, replicas = {}, ephemeral = false } = options;
  const secrets = await keptSecrets(dataDir);
  const processes = serviceNames.flatMap((service) =>
    processNames(service, replicas).map((name) => ({ service, name })),
  );
  const ports = await choosePorts(dataDir, options.port ?? 0, [
    'postgres',
    'nats',
    ...processes.map(({ name }) => name),
  ]);
  const addressOf = (name: string): string => `${host}:${ports.get(name)}`;

  show('starting Postgres and NATS');
  const servers = { dataDir, ephemeral, ports, env, show };
  const services = databaseServices.map((name) => ({ name, password: secrets.passwords[name] }));
  const [adminUrl, natsUrl] = await Promise.all([
    startDatabase(servers, supervisor).then(async (url) => {
      await provision({ adminUrl: url, database, services });
      return url;
    }),
    startBus(servers, supervisor),
  ]);

  const addresses = Object.fromEntries(
    serviceNames.map((service) => [service, processNames(service, replicas).map(addressOf)]),
  ) as Record<ServiceName, string[]>;
  const gateways = addresses.gateway.map((address) => `http://${address}`);
  const baseUrl = String(gateways[0]);
  const layout: Layout = {
    inherited: inheritedEnvironment(env),
    secrets,
    adminUrl,
    database,
    natsUrl,
    addresses,
    landingUrl: baseUrl,
    allowPrivateWebhooks: env['PARLEY_ALLOW_PRIVATE_WEBHOOKS'] !== 'false',
    webhookRetryScheduleSeconds: options.webhookRetryScheduleSeconds,
  };
  show(`starting ${processes.length} services`);
  await Promise.all(
    processes.map(({ service, name }) => {
      const address = addressOf(name);
      return supervisor.start(
        serviceProgram(service, name, address, environmentOf(service, address, layout)),
      );
    }),
  );

  const operator: OperatorAccess = {
    identity: grpcAddress(addresses.identity),
    customer: grpcAddress(addresses.customer),
    interaction: grpcAddress(addresses.interaction),
    webhook: grpcAddress(addresses.webhook),
    operatorToken: secrets.operatorToken,
  };
  const [demo, linkToken] = await Promise.all([
    ensureDemo(dataDir, baseUrl, operator),
    ensureWelcome(dataDir, operator, secrets.rpcToken),
  ]).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(`the demo workspace could not be made: ${why} (logs: ${join(dataDir, 'logs')})`, {
      cause: error,
    });
  });
  const local = {
    baseUrl,
    landingUrl: baseUrl,
    gateways,
    ...demo,
    postgresUrl: databaseUrl(adminUrl, database),
    natsUrl,
    processes: supervisor.processes(),
  };
  return { local, operator, welcomeLink: `${baseUrl}/interactions/${linkToken}` };
}

async function choosePorts(
  dataDir: string,
  gatewayPort: number,
  names: string[],
): Promise<Map<string, number>> {
  if (gatewayPort !== 0 && !(await isFree(gatewayPort, host))) {
    throw new StartError(`port ${gatewayPort} is taken; give another one with --port (0: any that is free)`);
  }
  const ports = await keptPorts(dataDir, names);
  const gateway = names.find(isGateway);
  if (gatewayPort !== 0 && gateway) ports.set(gateway, gatewayPort);
  return ports;
}
