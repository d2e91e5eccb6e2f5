import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@parley/contracts/services';
import { databaseUrl } from '@parley/postgres/connecting/urls';
import { allSettledOrThrow } from './processes/all-settled.ts';
import { buildBrowserFiles } from './browser-files.ts';
import { certificateFiles } from './files/certificate-files.ts';
import type { Command } from './processes/child.ts';
import { type DataDir, openDataDir } from './files/data-dir.ts';
import { ensureDemo, type OperatorAccess } from './demo/demo.ts';
import { ensureDemoHistory } from './demo/demo-history.ts';
import { callsOf, demoFile, docsExamplesFile, ensureDemoPages } from './demo/demo-pages.ts';
import { databaseUrlOf, environmentOf, inheritedEnvironment, type Layout } from './processes/environment.ts';
import { operatorAccessOf } from './demo/operator-access.ts';
import { choosePorts, type Placement } from './placement.ts';
import { StartError } from './processes/program.ts';
import { createRunFiles, endLeftoverRun, type LocalRun } from './files/run-files.ts';
import { ensureSecrets } from './files/secrets.ts';
import {
  database,
  ensureNats,
  ensurePostgres,
  type NatsRoute,
  type ServerContext,
} from './processes/servers.ts';
import { type Replicas, type ServiceProcess, serviceProgram } from './processes/services.ts';
import { type StopStage, supervise } from './processes/supervisor.ts';
import { startTraceViewer, type TraceViewer } from './traces/viewer.ts';

export interface SystemOptions {
  /**
   * The folder of all data of the run. A later run in it has its data, key and ports. Undefined: a new temporary
   * folder.
   */
  dataDir: string | undefined;
  /**
   * Removes the folder at the end, with everything created on the server of `DATABASE_URL`. A crash of the
   * machine may lose the data. The folder must be empty, or from an earlier ephemeral run.
   */
  ephemeral?: boolean;
  /** The port of the first gateway; 0, the default, is any free port. */
  port?: number;
  replicas?: Replicas;
  /** Whether a second Postgres follows the first, and replaces it when it ends. */
  standby?: boolean;
  /** How many NATS servers run: 1, the default, or a cluster of 3 with a stream of three replicas. */
  nats?: 1 | 3;
  /** Where the servers of the cluster reach each other: tests put proxies between them. */
  natsRoute?: NatsRoute;
  /** Whether each service process serves its metrics, on a free port of its own. */
  metrics?: boolean;
  /** Keeps recent traces in memory and shows them at `/traces` of every gateway. */
  traces?: boolean;
  /** Whether calls between services use TLS, with certificates in the folder. */
  tls?: boolean;
  /** Fills a new demo workspace with conversations of the last month. */
  demoHistory?: boolean;
  /** Delays between the attempts of a webhook delivery, for tests that cannot wait. */
  webhookRetryScheduleSeconds?: readonly number[];
  /** Provides `DATABASE_URL`, `NATS_URL`, `NATS_SERVER_BIN`, `LOG_LEVEL`, `OTEL_*` and the like. */
  env: NodeJS.ProcessEnv;
  /** Changes the commands of services: a benchmark runs them as a deployment does. */
  adapt?: (command: Command, process: ServiceProcess) => Command;
  /** Gets lines for the terminal: progress, restarts, alarms of the children. */
  show?: (line: string) => void;
  /** Interrupts the start, which then throws and leaves nothing running. */
  signal?: AbortSignal;
}

/** The whole service, running. Disposing it stops it. */
export interface System extends AsyncDisposable {
  /** Absolute. */
  dataDir: string;
  /** Returns the newest content of `local.json`. */
  local(): LocalRun;
  operator: OperatorAccess;
  /** Opens a conversation with a sample bot. */
  welcomeLink: string;
  /** Drains and ends everything within ten seconds. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): Promise<void>;
}

type Started = Pick<System, 'operator' | 'welcomeLink'> & { local: LocalRun };

const isGateway = (name: string): boolean => name.startsWith('gateway');
const isServer = (name: string): boolean => /^(postgres|nats)(-\d+)?$/.test(name);

// Gateways first, so that no new requests arrive; servers last, because the services drain into them. Nine
// seconds in all.
const stopStages: readonly StopStage[] = [
  { matches: isGateway, graceMs: 3_500 },
  { matches: (name) => !isGateway(name) && !isServer(name), graceMs: 3_000 },
  { matches: isServer, graceMs: 2_500 },
];

/**
 * Starts Postgres and NATS (or uses given ones) and the services, and creates the demo workspace.
 * Returns when all is ready and `local.json` is written. Throws `StartError`, or `FlagError` for a folder
 * that it must not use. Then it has stopped all that it had started, and has removed nothing that existed
 * before.
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { ephemeral = false, env, show = () => {} } = options;
  const folder = await openDataDir(options.dataDir, ephemeral);
  const { path: dataDir } = folder;
  const files = createRunFiles(dataDir, show);
  const supervisor = supervise({
    logDir: join(dataDir, 'logs'),
    show,
    onChange: () => files.updateProcesses(supervisor.processes()),
  });
  const cleanup = new AsyncDisposableStack();
  const tidyUp = async (): Promise<void> => {
    await files.remove();
    const isOurs = folder.wasEmpty || files.local() !== undefined;
    if (ephemeral && isOurs) await removeAll(folder, cleanup, show);
    else await folder.release();
  };
  // Once: after the release, another run may use the folder.
  let tidied: Promise<void> | undefined;
  const ending = new AbortController();
  const closing = new DisposableStack();
  const end = async (children: Promise<void>): Promise<void> => {
    ending.abort();
    await children;
    closing.dispose();
    await (tidied ??= tidyUp());
  };
  const stop = (): Promise<void> => end(supervisor.stop(stopStages));

  const failing = new AbortController();
  const signal = AbortSignal.any([failing.signal, options.signal ?? failing.signal]);
  const stopChildren = (): void => void supervisor.stop(stopStages);
  signal.addEventListener('abort', stopChildren);
  try {
    signal.throwIfAborted();
    await endLeftoverRun(dataDir);
    const placement = await placementOf(dataDir, options);
    const viewer = options.traces ? closing.use(await startTraceViewer(placement.tracesPort)) : undefined;
    const secrets = await ensureSecrets(dataDir);
    if (options.tls) await createCertificates(dataDir);
    const shared = { dataDir, ephemeral, env, secrets, supervisor, show, signal, cleanup };
    const context = { ...shared, ending: ending.signal, closing };
    const started = await bringUp({ ...options, viewer }, context, placement, () => failing.abort());
    signal.throwIfAborted();
    await files.write(started.local, started.operator);
    return {
      ...started,
      dataDir,
      local: () => files.local() ?? started.local,
      stop,
      kill: () => end(supervisor.kill()),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', stopChildren);
  }
}

function placementOf(dataDir: string, options: SystemOptions): Promise<Placement> {
  const { port = 0, replicas = {}, nats: natsServers = 1, metrics = false } = options;
  return choosePorts(dataDir, port, { replicas, natsServers }, metrics);
}

async function createCertificates(dataDir: string): Promise<void> {
  // Loaded only here, because its library is large.
  const { ensureCertificates } = await import('./files/certificates.ts');
  await ensureCertificates(dataDir);
}

/**
 * Removes all traces of an ephemeral run. Keeps the folder if the server of `DATABASE_URL` does not answer.
 */
async function removeAll(
  folder: DataDir,
  cleanup: AsyncDisposableStack,
  show: (line: string) => void,
): Promise<void> {
  try {
    await cleanup.disposeAsync();
  } catch (error) {
    // The secrets in the folder prove to a later run that the database belongs to it.
    const reason = (error as Error).message;
    show(`the database is still there (${reason}); another --ephemeral run in ${folder.path} removes it`);
    return folder.release();
  }
  await folder.remove();
}

/** Starts everything, as much in parallel as possible. Calls `onFailure` at the first failure. */
async function bringUp(
  options: SystemOptions & { viewer: TraceViewer | undefined },
  context: ServerContext,
  { postgresPorts, nats, processes }: Placement,
  onFailure: () => void,
): Promise<Started> {
  const { dataDir, env, secrets, supervisor, show, signal } = context;
  const { adapt = (command) => command, webhookRetryScheduleSeconds, viewer, standby = false } = options;
  const allowPrivateWebhooks = readSwitch('PARLEY_ALLOW_PRIVATE_WEBHOOKS', env);
  const addresses = addressesOf(processes);
  const gateways = addresses.gateway.map((address) => `http://${address}`);
  const baseUrl = String(gateways[0]);

  show('starting Postgres and NATS');
  const [adminUrl, natsUrls] = await allSettledOrThrow(
    [
      ensurePostgres(context, postgresPorts, standby),
      ensureNats(context, nats, options.natsRoute),
      buildBrowserFiles(show, signal),
    ],
    onFailure,
  );

  show(`starting ${processes.length} services`);
  const layout: Layout = {
    // Metrics are exported elsewhere only if a variable names the exporter.
    inherited: {
      ...(viewer && { OTEL_METRICS_EXPORTER: 'none' }),
      ...inheritedEnvironment(env),
      ...viewer?.env,
    },
    secrets,
    adminUrl,
    database,
    natsUrlOf: natsUrls.ofService,
    streamReplicas: nats.length > 1 ? nats.length : undefined,
    addresses,
    landingUrl: baseUrl,
    docsExamplesFile: docsExamplesFile(dataDir),
    demoFile: demoFile(dataDir),
    tracesUrl: viewer?.url,
    allowPrivateWebhooks,
    certificateOf: options.tls ? (service) => certificateFiles(dataDir, service) : undefined,
    webhookRetryScheduleSeconds,
  };
  const startProcess = (process: ServiceProcess): Promise<void> => {
    const { service, address } = process;
    const program = serviceProgram(process, environmentOf(service, address, layout));
    return supervisor.start({ ...program, command: async () => adapt(await program.command(), process) });
  };
  await allSettledOrThrow(processes.map(startProcess), onFailure);

  const { demo, welcomeLink, access } = await createDemo(context, baseUrl, addresses, options, layout);
  const operator = { ...access, consumers: natsUrls.ofConsumers };
  const postgresUrl = databaseUrl(adminUrl, database);
  const natsUrl = natsUrls.admin;
  const running = { gateways, ...demo, postgresUrl, natsUrl, processes: supervisor.processes() };
  const traces = viewer && { tracesUrl: `${baseUrl}/traces` };
  return { local: { baseUrl, landingUrl: baseUrl, ...traces, ...running }, operator, welcomeLink };
}

async function createDemo(
  { dataDir, secrets, show }: ServerContext,
  baseUrl: string,
  addresses: Record<ServiceName, string[]>,
  { tls, demoHistory }: Pick<SystemOptions, 'tls' | 'demoHistory'>,
  layout: Layout,
) {
  const access = operatorAccessOf({ dataDir, secrets }, addresses, tls);
  try {
    const demo = await ensureDemo(dataDir, baseUrl, access);
    const workspace = callsOf(baseUrl, demo);
    if (demoHistory) {
      await ensureDemoHistory(baseUrl, demo, {
        workspace,
        databaseUrl: databaseUrlOf('interaction', layout),
        show,
      });
    }
    const linkToken = await ensureDemoPages(dataDir, baseUrl, demo, workspace);
    return { demo, access, welcomeLink: `${baseUrl}/interactions/${linkToken}` };
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const { message } = cause as Error;
    const logs = join(dataDir, 'logs');
    throw new StartError(`the demo workspace could not be created: ${message} (logs: ${logs})`, { cause });
  }
}

function addressesOf(processes: Placement['processes']): Record<ServiceName, string[]> {
  const addressesOfService = (name: ServiceName): string[] =>
    processes.filter(({ service }) => service === name).map(({ address }) => address);
  const entries = serviceNames.map((name) => [name, addressesOfService(name)]);
  return Object.fromEntries(entries) as Record<ServiceName, string[]>;
}

/**
 * Returns the value of a switch, true by default. Throws `StartError` for anything but `true` and `false`.
 */
function readSwitch(name: string, env: NodeJS.ProcessEnv): boolean {
  const value = env[name] || 'true';
  if (value !== 'true' && value !== 'false')
    throw new StartError(`${name} must be true or false, not "${value}"`);
  return value === 'true';
}
