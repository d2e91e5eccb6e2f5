import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bringUp } from './bring-up.ts';
import type { Command } from './child.ts';
import { openDataDir } from './data-dir.ts';
import type { OperatorAccess } from './demo.ts';
import { removePostgres } from './postgres.ts';
import { type StopStage, supervise } from './processes.ts';
import {
  endLeftoverRun,
  keepLocalFile,
  type LocalRun,
  removeRunFiles,
  writeLocalFile,
  writeOperatorFile,
} from './run-files.ts';
import type { Replicas, ServiceName } from './service-names.ts';

export interface SystemOptions {
  /**
   * Everything that the run keeps is in here; the same folder again is the same data, key and ports. Undefined: a new folder
   * under the system's temporary one.
   */
  dataDir: string | undefined;
  /**
   * The folder is removed at the end, with what was made on the server of `DATABASE_URL`; its data need not survive a crash
   * of the machine. It must be empty, or an earlier ephemeral run's.
   */
  ephemeral?: boolean;
  /** Where the first gateway listens; 0 and nothing: any free port. */
  port?: number;
  replicas?: Replicas;
  /** Delays between the attempts of a webhook delivery, for tests that cannot wait. */
  webhookRetryScheduleSeconds?: readonly number[];
  /** Of which `DATABASE_URL`, `NATS_URL`, `NATS_SERVER_BIN`, `LOG_LEVEL`, `OTEL_*` and the like are taken. */
  env: NodeJS.ProcessEnv;
  /** Runs the services in another way than the local one: a benchmark runs them as a deployment does. */
  adapt?: (command: Command, service: ServiceName) => Command;
  /** Told what happens, a line at a time: progress, restarts, alarming lines of the children. */
  show?: (line: string) => void;
  /** Aborting it while the run starts ends the start with an error; nothing is left behind. */
  signal?: AbortSignal;
}

/** The whole service, running. Disposing of it is stopping it. */
export interface System extends AsyncDisposable {
  /** Absolute. */
  dataDir: string;
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
 * is ready and `local.json` is written. When it cannot, it throws `StartError`, or `FlagError` for a folder that it must not
 * take, has stopped what it had started, and has removed nothing that was there before.
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const ephemeral = options.ephemeral ?? false;
  const folder = await openDataDir(options.dataDir, ephemeral);
  const dataDir = folder.path;
  const show = options.show ?? (() => {});

  let local: LocalRun | undefined;
  let hasStarted = false;
  const localFile = keepLocalFile(dataDir, show);
  const logDir = join(dataDir, 'logs');
  const supervisor = supervise({
    logDir,
    show,
    onChange: () => {
      if (!local) return;
      local = { ...local, processes: supervisor.processes() };
      localFile.update(local);
    },
  });
  let removeDatabase = async (): Promise<void> => {};
  const tidyUp = async (): Promise<void> => {
    await localFile.stop();
    await removeRunFiles(dataDir);
    const after = hasStarted ? 'run' : 'failed start';
    // The logs of a failed start say why it failed.
    const isKept = hasStarted ? !ephemeral : !folder.wasEmpty || (!ephemeral && existsSync(logDir));
    if (isKept) return folder.release();
    const failure = await removeDatabase().then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (failure) {
      // By its secrets a next run knows what is its own.
      show(`the database is still there (${failure}); another --ephemeral run in ${dataDir} removes it`);
      return folder.release();
    }
    await removePostgres(join(dataDir, 'postgres'));
    await folder.remove(after);
  };
  // Once: afterwards the folder may be another run's.
  let tidied: Promise<void> | undefined;
  const end = async (stopChildren: () => Promise<void>): Promise<void> => {
    await stopChildren();
    await (tidied ??= tidyUp());
  };
  const stop = (): Promise<void> => end(() => supervisor.stop(stopStages));
  const starting = new AbortController();
  const giveUp = (endChildren: () => Promise<void>): void => {
    starting.abort();
    void endChildren();
  };
  const onAbort = (): void => giveUp(supervisor.kill);
  options.signal?.addEventListener('abort', onAbort);

  try {
    options.signal?.throwIfAborted();
    await endLeftoverRun(dataDir);
    const started = await bringUp(
      {
        dataDir,
        ephemeral,
        port: options.port ?? 0,
        replicas: options.replicas ?? {},
        webhookRetryScheduleSeconds: options.webhookRetryScheduleSeconds,
        env: options.env,
        adapt: options.adapt ?? ((command) => command),
        show,
        signal: starting.signal,
        giveUp: () => giveUp(() => supervisor.stop(stopStages)),
        onProvision: (undo) => {
          removeDatabase = undo;
        },
      },
      supervisor,
    );
    options.signal?.throwIfAborted();
    local = started.local;
    await writeOperatorFile(dataDir, started.operator);
    await writeLocalFile(dataDir, local);
    hasStarted = true;
    return {
      dataDir,
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
