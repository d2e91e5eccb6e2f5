import { setTimeout as delay } from 'node:timers/promises';
import { FlagError, helpText, readFlags } from './flags.ts';
import { saveMemory } from './idle.ts';
import { StartError } from './program.ts';
import { startSystem, type System } from './system.ts';

const cutShortMsMax = 8_500;
// One Ctrl-C can arrive several times: from the terminal, and passed on by the npm that started us.
const sameSignalMs = 500;

const startedAt = Date.now();
// Only the owner can read what the run and its children write.
process.umask(0o077);
saveMemory();
process.exit(await main());

async function main(): Promise<number> {
  try {
    const flags = readFlags(process.argv.slice(2), process.env);
    if (flags.help) {
      process.stdout.write(helpText);
      return 0;
    }
    const signals = stopSignals();
    const starting = startSystem({ ...flags, env: process.env, show: say, signal: signals.first });
    await Promise.race([starting, aborted(signals.first)]);
    if (signals.first.aborted) return await cutShort(starting, signals);
    return await runUntilSignal(await starting, signals);
  } catch (error) {
    if (error instanceof FlagError) return fail(`${error.message} (see npm start -- --help)`, 2);
    if (error instanceof StartError || isSystemError(error)) return fail(error.message, 1);
    throw error;
  }
}

/** What was started is being ended, or was all started just now; a part that does not care must not hold us. */
async function cutShort(starting: Promise<System>, signals: StopSignals): Promise<number> {
  say('stopping');
  const ended = starting.then(
    (system) => system.stop(),
    () => {},
  );
  const isOrderly = await Promise.race([
    ended.then(() => true),
    Promise.race([delay(cutShortMsMax), aborted(signals.second)]).then(() => false),
  ]);
  say(isOrderly ? 'stopped' : 'stopped, without waiting for all of it');
  return 130;
}

async function runUntilSignal(system: System, signals: StopSignals): Promise<number> {
  greet(system);
  await aborted(signals.first);
  say('stopping (a second time: at once)');
  const isOrderly = await Promise.race([
    system.stop().then(() => true),
    aborted(signals.second).then(() => false),
  ]);
  if (!isOrderly) await system.kill();
  say('stopped');
  return isOrderly ? 0 : 130;
}

interface StopSignals {
  first: AbortSignal;
  second: AbortSignal;
}

function stopSignals(): StopSignals {
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
      // Any other error, such as a full disk below a redirected output, does not concern the run.
      if (code === 'EPIPE') first.abort();
    });
  }
  return { first: first.signal, second: second.signal };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function greet(system: System): void {
  const { dataDir } = system;
  const { baseUrl, apiKey, apiSecret } = system.local();
  process.stdout.write(`
Parley is ready at ${baseUrl}

  See it in a shop    ${baseUrl}/demo
  Call the API        curl -u ${apiKey}:${apiSecret} ${baseUrl}/v1/workspaces
  API reference       ${baseUrl}/docs
  Talk to a bot       ${system.welcomeLink}
  Ids, keys, URLs     ${dataDir}/local.json
  Logs                ${dataDir}/logs
  Stop                Ctrl-C

`);
}

function say(line: string): void {
  process.stderr.write(`[${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${line}\n`);
}

/** Such as ENOSPC or EACCES. Its message names the call and the file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function fail(message: string, exitCode: number): number {
  process.stderr.write(`parley: ${message}\n`);
  return exitCode;
}
