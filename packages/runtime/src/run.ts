import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigError, logLevel } from './config/config.ts';
import { followConfig } from './config/follow-config.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { startTelemetry } from './telemetry/telemetry.ts';
import { version } from './version.ts';

/** A running service. Its disposal finishes the work in flight and then closes. */
export interface Running extends AsyncDisposable {
  /** The address where it listens, `host:port` with an IPv6 address in brackets. */
  address: string;
}

const shutdownMsMax = 9_000;

/**
 * Runs a process: reads its config, starts the service, waits for a signal, shuts down, exits. Replaces the secrets in
 * the config when their files change (`followConfig`). A signal during the start ends it at once: it serves no requests
 * yet, and an uncommitted migration rolls back. With `PARLEY_EXIT_ON_STDIN_END=1` the end of standard input counts as a
 * signal, because the parent has died. Exit codes: 0 after a shutdown, 1 when it could not start or did not end in
 * time, 2 for an invalid environment.
 */
export async function run<Config extends object>(
  name: string,
  readConfig: (env: NodeJS.ProcessEnv) => Config,
  start: (config: Config, logger: Logger) => Promise<Running>,
): Promise<void> {
  const env = process.env;
  const logger = createLogger(name, logLevel(env));
  const stopped = stopSignal(env);
  logWarnings(logger);
  try {
    const config = readConfig(env);
    const following = followConfig(config, readConfig, env, logger);
    const stopTelemetry = await startTelemetry(name, env, logger);
    void stopped.then((reason) => {
      logger.info({ reason }, 'stopping');
      setTimeout(() => {
        logger.error('did not stop in time');
        process.exit(1);
      }, shutdownMsMax).unref();
    });
    const service = await Promise.race([start(config, logger), stopped.then(() => undefined)]);
    if (service) {
      // Where Node has a cache of compiled code, it writes it at an orderly end. Others start faster from now on.
      flushCompileCache();
      freeStartMemory();
      logger.info({ address: service.address, version }, 'started');
      await stopped;
      await service[Symbol.asyncDispose]();
    }
    await following[Symbol.asyncDispose]();
    await stopTelemetry();
    process.exit(0);
  } catch (error) {
    if (error instanceof ConfigError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'failed');
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
}

/**
 * Returns to the system what loading the modules took. V8 would keep a third of an idle process: it collects when it
 * allocates, and an idle process does not. Takes some 50 ms, once.
 */
function freeStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}

/** Logs warnings of Node and of libraries like all else. Node prints them as text by default. */
function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, 'warning of Node or a library'));
}

function stopSignal(env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
    if (env['PARLEY_EXIT_ON_STDIN_END'] === '1')
      process.stdin.once('end', () => resolve('parent ended')).resume();
  });
}
