import { setTimeout as delay } from 'node:timers/promises';
import { aborted } from 'node:util';
import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import { toAppError } from '@parley/runtime/errors';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { FlagError, helpText, readFlags } from './flags.ts';
import { StartError } from './processes/program.ts';
import { startSystem, type System } from './system.ts';

const stopMsMax = 9_000;
const killMsMax = 500;
// One Ctrl-C can arrive several times: from the terminal, and from the npm that started this process.
const sameSignalMs = 500;

const startedAt = Date.now();
// Only the owner can read the files of the run and its children.
process.umask(0o077);
process.exit(await main());

async function main(): Promise<number> {
  try {
    const { help, ...flags } = readFlags(process.argv.slice(2), process.env);
    if (help) {
      process.stdout.write(helpText);
      return 0;
    }
    const signals = listenForStop();
    const starting = startSystem({ ...flags, env: process.env, show: say, signal: signals.first });
    await Promise.race([starting, aborted(signals.first, process)]);
    const isReady = !signals.first.aborted;
    if (isReady) await greet(await starting);
    await aborted(signals.first, process);
    return (await stop(starting, signals.second)) && isReady ? 0 : 130;
  } catch (error) {
    if (error instanceof FlagError) return fail(`${error.message} (see npm start -- --help)`, 2);
    if (error instanceof StartError || isSystemError(error)) return fail(error.message, 1);
    throw error;
  }
}

/** Stops a run or its start; after the second signal, at once. Returns whether the shutdown was clean. */
async function stop(starting: Promise<System>, second: AbortSignal): Promise<boolean> {
  say('stopping (interrupt again to stop at once)');
  // An interrupted start stops what it has started before it throws.
  const stopped = starting.then((system) => system.stop()).catch(() => {});
  const isComplete = await Promise.race([
    stopped.then(() => true),
    delay(stopMsMax, false, { signal: second }).catch(() => false),
  ]);
  const kill = (): Promise<void> => starting.then((system) => system.kill());
  if (!isComplete) await Promise.race([kill().catch(() => {}), delay(killMsMax)]);
  say('stopped');
  return isComplete;
}

/** Returns signals that abort with the first and the second request to stop. */
function listenForStop(): { first: AbortSignal; second: AbortSignal } {
  const first = new AbortController();
  const second = new AbortController();
  let firstAt = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      firstAt ||= Date.now();
      if (first.signal.aborted && Date.now() - firstAt >= sameSignalMs) second.abort();
      first.abort();
    });
  }
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Other errors, such as a full disk behind a redirected output, do not stop the run.
      if (code === 'EPIPE') first.abort();
    });
  }
  return { first: first.signal, second: second.signal };
}

async function greet(system: System): Promise<void> {
  const { dataDir } = system;
  const { baseUrl, apiKey, apiSecret, tracesUrl } = system.local();
  process.stdout.write(`
Parley is ready at ${baseUrl}

  See it in a shop    ${baseUrl}/demo
  Call the API        curl -u ${apiKey}:${apiSecret} ${baseUrl}/v1/workspaces
  See what happens    ${await consoleLines(system)}
  API reference       ${baseUrl}/docs
  Talk to a bot       ${system.welcomeLink}${tracesUrl ? `\n  Traces              ${tracesUrl}` : ''}
  Ids, keys, URLs     ${dataDir}/local.json
  Logs                ${dataDir}/logs
${metricsLine(system)}  Stop                Ctrl-C

`);
}

/** Returns a link into the console and how to get another. Without the link, if the service does not answer now. */
async function consoleLines(system: System): Promise<string> {
  const indent = '\n'.padEnd(23);
  const command = `npm run --silent parley -- console link${indent}--workspace ${system.local().workspaceId}`;
  try {
    return `${await createConsoleLink(system)}${indent}signs in once; for another link: ${command}`;
  } catch (error) {
    if (!['unavailable', 'deadline_exceeded'].includes(toAppError(error).code)) throw error;
    return command;
  }
}

/** Returns a URL that signs in as an owner of the demo workspace once, within 15 minutes. */
async function createConsoleLink({ operator, local }: System): Promise<string> {
  const { baseUrl, workspaceId } = local();
  await using tls = openTls(operator.tls, 'cli', createLogger('local', 'silent'));
  using peer = connect(operator.identity, { token: operator.operatorToken, tls: tls?.to('identity') });
  const wanted = { workspaceId, role: 'owner', name: 'Operator' };
  const call = { requestId: 'local-start', timeoutMs: 10_000 };
  const { code } = await peer.client(IdentityAdminServiceService).createConsoleLink(wanted, call);
  return `${baseUrl}/console/sign-in/link#${code}`;
}

function metricsLine(system: System): string {
  const { metricsUrl } = system.local().processes.find(({ name }) => name.startsWith('gateway')) ?? {};
  return metricsUrl ? `  Metrics             ${metricsUrl} (the other processes: local.json)\n` : '';
}

function say(line: string): void {
  process.stderr.write(`[${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${line}\n`);
}

/** Returns whether it is a system error such as ENOSPC or EACCES. Its message names the call and the file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function fail(message: string, exitCode: number): number {
  process.stderr.write(`parley: ${message}\n`);
  return exitCode;
}
