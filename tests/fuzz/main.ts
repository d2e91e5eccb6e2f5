import { parseArgs } from 'node:util';
import type { ApiDocument } from '@parley/testing/setup/contract';
import type { System } from '@parley/local/system';
import { startTestSystem } from '@parley/testing/setup/system';
import { attacks } from './attacks.ts';
import { grown, memoryOf, memoryTable, watched } from './memory.ts';
import { type FuzzOutcome, fuzzOperations } from './run.ts';
import { fuzzServices } from './services.ts';
import { attackFault, createSocketTarget, fuzzSockets, slowClients, slowFault } from './sockets.ts';

// The long form of tests/api/fuzz.e2e.test.ts, on its own system, whose memory is observed.

const help = `Sends bad input to the API and to its services, and checks the answers: npm run fuzz -- [FLAGS]

  --calls N   generated calls (100000), and a fiftieth as many connections with changed bytes
  --seed N    decides the requests (default: the time)
  --help      this text

Exit code 1 if an answer did not match the API's description, revealed internals or was an internal
error, if a process ended, or if its memory has grown after a garbage collection. Faults are printed
with the sent bytes.
`;

const warmUpCalls = 5_000;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [calls, seed] = [Number(values.calls), Number(values.seed)];
  if (!(calls >= 1) || !Number.isSafeInteger(seed)) {
    process.stderr.write('--calls and --seed must be whole numbers (see --help)\n');
    return 2;
  }
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ended.abort());

  say(`seed ${seed}`);
  await using system = await startTestSystem({ env: { LOG_LEVEL: 'warn' }, adapt: watched, show: say });
  const faults = await fuzz(system, calls, seed, ended.signal);
  for (const fault of faults) process.stdout.write(`\n${fault}\n`);
  process.stdout.write(`\n${faults.length} faults, seed ${seed}\n`);
  return faults.length > 0 || ended.signal.aborted ? 1 : 0;
}

async function fuzz(system: System, calls: number, seed: number, ended: AbortSignal): Promise<string[]> {
  const { operator } = system;
  const { baseUrl, processes } = system.local();
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ApiDocument;
  const run = (count: number, from: number): Promise<FuzzOutcome> =>
    fuzzOperations({
      baseUrl,
      operator,
      document,
      calls: count,
      seed: from,
      ended,
      progress: (made) => made % 5_000 === 0 && say(`${made} calls`),
    });
  const target = await createSocketTarget(baseUrl, operator);
  const bent = await createSocketTarget(baseUrl, operator);
  const connections = Math.ceil(calls / 50);
  const others = async (count: number, from: number): Promise<string[]> => [
    ...(await fuzzSockets(baseUrl, bent, { connections: count, seed: from, ended })),
    ...(await fuzzServices(operator, { connections: count >> 2, seed: from })),
  ];

  const warmUp = await run(warmUpCalls, seed - 1_000_000);
  const faults = [...warmUp.faults, ...(await others(200, seed - 1))];
  const before = await memoryOf(system);

  const slow = Promise.all(slowClients.map((client) => slowFault(baseUrl, client, target)));
  const outcome = await run(calls, seed);
  faults.push(...outcome.faults);
  const table = Array.from(outcome.counts, ([name, count]) => `${String(count).padStart(7)}  ${name}`);
  process.stdout.write(
    `${table.toSorted((one, other) => one.slice(9).localeCompare(other.slice(9))).join('\n')}\n`,
  );
  for (const attack of attacks) {
    const fault = await attackFault(baseUrl, attack, target);
    if (fault) faults.push(`${attack.name}: ${fault}`);
  }
  faults.push(...(await others(connections, seed)), ...(await slow).filter((fault) => fault !== undefined));
  say(`${connections} connections with mutated bytes`);

  const after = await memoryOf(system);
  process.stdout.write(`\n${memoryTable(before, after)}\n`);
  faults.push(...grown(before, after));
  const now = system.local().processes;
  const gone = processes.filter((one) => !now.some(({ pid }) => pid === one.pid));
  return [...faults, ...gone.map(({ name }) => `${name} has ended`)];
}

const startedAt = Date.now();

function say(line: string): void {
  process.stderr.write(`[${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${line}\n`);
}

process.exitCode = await main();
