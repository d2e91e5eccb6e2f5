import { setTimeout } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { basic, createWorkspace } from '@parley/testing/api';
import { fill } from './setup/contents.ts';
import { type Deployment, startDeployment } from './setup/deployment.ts';
import { numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { memoryOf } from './measure/memory.ts';
import { openAdmin } from './setup/seed.ts';
import { spreadOf } from './measure/statistics.ts';

const help = `Measures an export of many interactions: npm run bench:export -- [FLAGS]

  --rows N    interactions of the workspace (1000000)
  --help      this text

Reads both formats as fast as they come, beside clients that read a kilobyte a second. Reports
the memory of the processes, the sizes of indexes, and the durations of a call of the same
workspace and of another one, before and during the exports.
`;

const mib = 1024 * 1024;
const inMib = (bytes = 0): string => (bytes / mib).toFixed(0);
const warmUpPages = 500;
/** Memory that this many lines need is not due to the length of an export. */
const firstLines = 20_000;

await runBenchmark(async (ended) => {
  const flags = readFlags({
    rows: { type: 'string', default: '1000000' },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) return void process.stdout.write(help);
  const interactions = numberFlag('rows', flags.rows, 1_000);
  await using deployment = await startDeployment({ show, ended });
  const amounts = { customers: Math.ceil(interactions / 50), interactions, conversations: 0, bots: 3 };
  const contents = await fill(deployment, amounts, show);
  const sizes = await indexSizes(deployment, interactions);
  const { system } = deployment;
  const { baseUrl, apiKey, apiSecret } = system.local();
  const getter =
    (workspace: { id: string; apiKey: string; apiSecret: string }) =>
    (path: string): Promise<Response> =>
      fetch(`${baseUrl}/v1/workspaces/${workspace.id}${path}`, {
        headers: { authorization: basic(workspace.apiKey, workspace.apiSecret) },
        signal: ended,
      });
  const get = getter({ id: contents.workspaceId, apiKey, apiSecret });
  const getOther = getter(await createWorkspace(baseUrl, system.operator));
  const callMs = async (seconds: number): Promise<string> =>
    `the same workspace's ${await durationOf(get, seconds)}; another one's ${await durationOf(getOther, seconds)}`;
  // A process that has served nothing grows with any load.
  for (let page = 1; page <= warmUpPages; page += 1)
    await (await get(`/interactions?pageSize=50&page=${page}`)).text();
  const lines = [`calls before: ${await callMs(5)}`];
  const slow = [
    await slowReader(await get('/interactions/export')),
    await slowReader(await get('/interactions/export')),
  ];
  for (const path of ['/interactions/export', '/interactions/export?format=csv&botKey=nps-follow-up']) {
    const before = memories(deployment);
    const largest = { ...before };
    using _ = every(100, () => {
      for (const [name, bytes] of Object.entries(memories(deployment))) {
        largest[name] = Math.max(largest[name] ?? 0, bytes);
      }
    });
    const startedAt = performance.now();
    const calls = callMs(5);
    let atFirst = before;
    const { bytes, breaks } = await readAll(await get(path), () => (atFirst = { ...largest }));
    const seconds = (performance.now() - startedAt) / 1000;
    lines.push(
      `${path}: ${breaks.toLocaleString('en')} lines, ${(bytes / mib).toFixed(0)} MiB in ${seconds.toFixed(1)} s`,
      `  calls meanwhile: ${await calls}`,
      ...Object.keys(largest).map(
        (name) =>
          `  ${name}, in MiB: ${inMib(before[name])} before, ${inMib(atFirst[name])} at most in the first ` +
          `${firstLines} lines, ${inMib(largest[name])} in all`,
      ),
    );
  }
  for (const reader of slow) lines.push(`a slow reader has read ${(reader.stop() / 1024).toFixed(0)} KiB`);
  lines.push('Indexes, in MiB for a million interactions, and the customers of a million / 50', ...sizes);
  process.stdout.write(`${lines.join('\n')}\n`);
});

/** Returns the indexes that lists and exports use, with their size as it would be for a million interactions. */
async function indexSizes({ system }: Deployment, interactions: number): Promise<string[]> {
  await using admin = await openAdmin(system.local().postgresUrl);
  const { rows } = await admin.query<{ definition: string; bytes: string }>(
    `select pg_get_indexdef(indexrelid) as definition, pg_relation_size(indexrelid) as bytes from pg_index
     where indrelid = any('{interaction.interaction,interaction.evaluation_value,interaction.interaction_day_count,
       customer.customer}'::regclass[]) order by 2 desc`,
  );
  return rows.map(({ definition, bytes }) => {
    const size = (Number(bytes) / mib) * (1_000_000 / interactions);
    return `  ${size.toFixed(1).padStart(7)}  ${definition.replace(/^.* ON /, '')}`;
  });
}

/** Measures a call that has nothing to do with interactions, one after the other. */
async function durationOf(get: (path: string) => Promise<Response>, seconds: number): Promise<string> {
  const durations: number[] = [];
  for (const endsAt = performance.now() + seconds * 1000; performance.now() < endsAt; ) {
    const startedAt = performance.now();
    await (await get('/webhooks')).text();
    durations.push(performance.now() - startedAt);
    await setTimeout(5);
  }
  const { median, max } = spreadOf(durations);
  return `median ${median.toFixed(2)} ms, at most ${max.toFixed(2)} ms`;
}

/** Reads a kilobyte a second until it is stopped. */
async function slowReader({ body }: Response): Promise<{ stop(): number }> {
  const reader = body?.getReader();
  let read = 0;
  const timer = setInterval(() => {
    void reader?.read().then(({ value }) => (read += value?.length ?? 0));
  }, 16_000);
  return {
    stop: () => {
      clearInterval(timer);
      void reader?.cancel();
      return read;
    },
  };
}

/** `onFirst` is called after the first lines. */
async function readAll(
  { status, body }: Response,
  onFirst: () => void,
): Promise<{ bytes: number; breaks: number }> {
  if (status !== 200 || !body) throw new Error(`the export answers ${status}`);
  let [bytes, breaks] = [0, 0];
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    const before = breaks;
    for (const byte of part.value) if (byte === 10) breaks += 1;
    if (before < firstLines && breaks >= firstLines) onFirst();
  }
  return { bytes, breaks };
}

function every(ms: number, run: () => void): Disposable {
  const timer = setInterval(run, ms);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns the memory of gateway and interaction service, and the largest of a backend of Postgres, in bytes. */
function memories({ system }: Deployment): Record<string, number> {
  const { processes } = system.local();
  const pidOf = (name: string): number => processes.find((process) => process.name === name)?.pid ?? 0;
  const backends = childrenOf(pidOf('postgres')).map(anonymousMemory);
  return {
    gateway: memoryOf(pidOf('gateway')),
    interaction: memoryOf(pidOf('interaction')),
    'largest backend of Postgres': Math.max(0, ...backends),
  };
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((child) => fieldOf(child, 'PPid') === pid);
}

// Without the shared buffers, which all backends have in common.
function anonymousMemory(pid: number): number {
  return (fieldOf(pid, 'RssAnon') || 0) * 1024;
}

function fieldOf(pid: number, field: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  } catch {
    return undefined;
  }
}
