import { join } from 'node:path';
import { databaseUrl } from '@parley/postgres/urls';
import { buildBrowserFiles } from './browser-files.ts';
import type { Command } from './child.ts';
import type { OperatorAccess } from './demo.ts';
import { demoFile } from './demo-file.ts';
import { docsExamplesFile } from './docs-examples.ts';
import { environmentOf, grpcAddress, inheritedEnvironment, type Layout } from './environment.ts';
import { runErrand } from './errand.ts';
import { addressesOf, choosePlaces, type Placement } from './placement.ts';
import type { Supervisor } from './processes.ts';
import { StartError } from './program.ts';
import type { LocalRun } from './run-files.ts';
import { keptSecrets, natsPassword, ownName, type Secrets } from './secrets.ts';
import { startBus, startDatabase } from './servers.ts';
import { databaseServices, type Replicas, type ServiceName } from './service-names.ts';
import { serviceProgram } from './service-program.ts';
import { together } from './together.ts';
import { warmUp } from './warm-up.ts';

interface BringUpOptions {
  dataDir: string;
  ephemeral: boolean;
  port: number;
  replicas: Replicas;
  webhookRetryScheduleSeconds: readonly number[] | undefined;
  env: NodeJS.ProcessEnv;
  adapt: (command: Command, service: ServiceName) => Command;
  show: (line: string) => void;
  /** Aborted when the start is given up. */
  signal: AbortSignal;
  /** Gives the start up, so that nothing waits for what cannot come any more. */
  giveUp: () => void;
  /** Told, before anything is made on a server that is not ours, what removes it again; that throws when it cannot. */
  onProvision: (undo: () => Promise<void>) => void;
}

interface Started {
  local: LocalRun;
  operator: OperatorAccess;
  welcomeLink: string;
}

const database = 'parley';
/** What is left of the time for a stop when all processes have taken theirs. */
const undoMsMax = 3_000;

/** On unless it says `false`. Throws a `StartError` for anything else, which may have been meant to switch it off. */
function readSwitch(name: string, env: NodeJS.ProcessEnv): boolean {
  const value = env[name] || 'true';
  if (value !== 'true' && value !== 'false')
    throw new StartError(`${name} must be true or false, not "${value}"`);
  return value === 'true';
}

/** From an empty or kept data folder to the demo workspace, as much at the same time as can be. */
export async function bringUp(options: BringUpOptions, supervisor: Supervisor): Promise<Started> {
  const { dataDir, env, show, signal, giveUp } = options;
  const allowPrivateWebhooks = readSwitch('PARLEY_ALLOW_PRIVATE_WEBHOOKS', env);
  const secrets = await keptSecrets(dataDir);
  const placement = await choosePlaces(dataDir, options.port, options.replicas);
  const addresses = addressesOf(placement.processes);
  const gateways = addresses.gateway.map((address) => `http://${address}`);
  const baseUrl = String(gateways[0]);

  show('starting Postgres and NATS');
  const [{ adminUrl, natsUrl }] = await together(
    [
      startServers(options, placement, secrets, supervisor),
      warmUp(env, show, signal),
      buildBrowserFiles(show, signal),
    ],
    giveUp,
  );

  show(`starting ${placement.processes.length} services`);
  const layout: Layout = {
    inherited: inheritedEnvironment(env),
    secrets,
    adminUrl,
    database,
    natsUrl,
    addresses,
    landingUrl: baseUrl,
    docsExamplesFile: docsExamplesFile(dataDir),
    demoFile: demoFile(dataDir),
    allowPrivateWebhooks,
    webhookRetryScheduleSeconds: options.webhookRetryScheduleSeconds,
  };
  await together(
    placement.processes.map((process) => {
      const { service } = process;
      const program = serviceProgram(process, environmentOf(service, process.address, layout));
      const command = async (): Promise<Command> => options.adapt(await program.command(), service);
      return supervisor.start({ ...program, command });
    }),
    giveUp,
  );

  const operator: OperatorAccess = {
    identity: grpcAddress(addresses.identity),
    customer: grpcAddress(addresses.customer),
    interaction: grpcAddress(addresses.interaction),
    webhook: grpcAddress(addresses.webhook),
    operatorToken: secrets.operatorToken,
  };
  const { rpcToken } = secrets;
  const { demo, linkToken } = await runErrand(
    'makeDemo',
    { dataDir, baseUrl, operator, rpcToken },
    signal,
  ).catch((cause: Error) => {
    const logs = join(dataDir, 'logs');
    throw new StartError(`the demo workspace could not be made: ${cause.message} (logs: ${logs})`, { cause });
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

async function startServers(
  { dataDir, ephemeral, env, show, signal, giveUp, onProvision }: BringUpOptions,
  { postgresPort, natsPort }: Placement,
  secrets: Secrets,
  supervisor: Supervisor,
): Promise<{ adminUrl: string; natsUrl: string }> {
  const services = databaseServices.map((name) => ({ name, password: secrets.passwords[name] }));
  const startProvisioned = async (): Promise<string> => {
    const adminUrl = await startDatabase({ dataDir, ephemeral, env, port: postgresPort }, supervisor);
    const owner = env['DATABASE_URL'] ? { id: ownName(secrets), place: dataDir } : undefined;
    const provision = { adminUrl, database, services, owner };
    const undo = async (): Promise<void> => {
      if (owner) await runErrand('unprovision', { ...provision, owner }, AbortSignal.timeout(undoMsMax));
    };
    onProvision(undo);
    await runErrand('provision', provision, signal).catch((cause: Error) => {
      // What hinders it hinders its undoing too, mostly, and is told here.
      onProvision(() => undo().catch(() => {}));
      throw new StartError(`the database cannot be set up: ${cause.message}`, { cause });
    });
    return adminUrl;
  };
  const [adminUrl, natsUrl] = await together(
    [
      startProvisioned(),
      startBus(
        { dataDir, ephemeral, env, port: natsPort, password: natsPassword(secrets), show, signal },
        supervisor,
      ),
    ],
    giveUp,
  );
  return { adminUrl, natsUrl };
}
