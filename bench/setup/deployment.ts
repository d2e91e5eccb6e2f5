import { join } from 'node:path';
import type { Command } from '@parley/local/processes/child';
import { findNatsServer } from '@parley/local/processes/nats-server';
import { removePostgres } from '@parley/local/postgres/postgres';
import { ensureSecrets, type Secrets } from '@parley/local/files/secrets';
import { type ServiceName, serviceNames } from '@parley/contracts/services';
import { startSystem, type System } from '@parley/local/system';
import { basic } from '@parley/testing/api';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { timeOf, timeOfTree } from '../measure/processor-time.ts';
import type { Contents } from './seed.ts';
import type { Subject } from './subject.ts';

interface DeploymentOptions {
  /** Additional flags of Node, by service. */
  nodeFlags?: (service: ServiceName) => readonly string[];
  /** Whether calls have the limits of production. Default: a load reaches none. */
  hasRateLimits?: boolean;
  show: (line: string) => void;
  /** Aborted when the run must end. */
  ended: AbortSignal;
}

/** The real system on its own servers, run like a deployment. Disposing ends and removes all of it. */
export interface Deployment extends AsyncDisposable {
  system: System;
  secrets: Secrets;
  port: number;
  /** Returns the microseconds of processor time that each process has used so far. */
  times(): Record<string, number>;
}

/**
 * Starts Postgres with full durability, NATS and the six services: without helpers of the local run, with logs at the
 * default level in files, and by default without a limit of calls that a load would reach.
 */
export async function startDeployment({
  nodeFlags,
  hasRateLimits = false,
  show,
  ended,
}: DeploymentOptions): Promise<Deployment> {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder('bench'));
  const dataDir = join(folder.path, 'data');
  // Where root's Postgres has another folder, it is not removed with this one.
  started.defer(() => removePostgres(join(dataDir, 'postgres')));
  const inherited = environment();
  const natsServer = await findNatsServer(inherited, show);
  const system = started.use(
    await startSystem({
      dataDir,
      env: { ...inherited, NATS_SERVER_BIN: natsServer },
      metrics: false,
      adapt: (command, { service }) =>
        deployed(command, {
          flags: nodeFlags?.(service) ?? [],
          log: join(dataDir, `${service}.log`),
          rateLimits: hasRateLimits ? productionRateLimits : noRateLimits,
        }),
      show,
      signal: ended,
    }),
  );
  const secrets = await ensureSecrets(dataDir);
  const stack = started.move();
  const pidOf = (name: string): number =>
    system.local().processes.find((process) => process.name === name)?.pid ?? 0;
  return {
    system,
    secrets,
    port: Number(new URL(system.local().baseUrl).port),
    times: () => ({
      ...Object.fromEntries([...serviceNames, 'nats'].map((name) => [name, timeOf(pidOf(name))])),
      postgres: timeOfTree(pidOf('postgres')),
    }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Returns the deployment as a subject, once it is filled. */
export function subjectOf(
  name: string,
  { system, secrets, port, times }: Deployment,
  contents: Contents,
): Subject {
  const { apiKey, apiSecret } = system.local();
  return {
    name,
    port,
    contents,
    authorization: basic(apiKey, apiSecret),
    sessionKeys: secrets,
    times,
  };
}

/** Returns this process's environment without variables that select other servers or change the measurement. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(DATABASE_URL|NATS_URL|LOG_LEVEL|OTEL_.*)$/.test(name),
  );
  return Object.fromEntries(kept);
}

/** The flags of Node in `deploy/Dockerfile`. */
export const imageFlags: readonly string[] = ['--max-semi-space-size=16'];

const noRateLimits = {
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_MESSAGES_PER_MINUTE: '60000000',
};

/** An empty variable counts as unset: the defaults of the gateway replace the limits of a local run. */
const productionRateLimits = {
  RATE_LIMIT_PER_SECOND: '',
  RATE_LIMIT_MESSAGES_PER_MINUTE: '',
  AUTH_FAILURES_PER_MINUTE: '',
};

// The log does not pass through this process, which would read it on the same processors.
function deployed(
  command: Command,
  {
    flags,
    log,
    rateLimits,
  }: { flags: readonly string[]; log: string; rateLimits: Readonly<Record<string, string>> },
): Command {
  const entry = command.args.at(-1) ?? '';
  const script = 'exec "$0" "$@" >> "$SERVICE_LOG"';
  return {
    ...command,
    file: 'sh',
    args: ['-c', script, command.file, ...imageFlags, ...flags, entry],
    env: {
      ...command.env,
      NODE_ENV: 'production',
      // Production has no demo.
      DEMO_FILE: '',
      SERVICE_LOG: log,
      ...rateLimits,
    },
  };
}
