import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessInfo } from '@parley/local/processes/supervisor';
import { memoryOf } from '../measure/memory.ts';
import { quantile } from '../measure/statistics.ts';
import type { Worker } from '../setup/worker.ts';
import type { Load, Outcomes } from './attack.ts';
import { openHttpClient } from './http.ts';
import type { AttackerAnswer, AttackerMessage } from './main.ts';
import { type Calls, type Kind, kinds, type Sample } from './victim.ts';
import type { World } from './tenants.ts';

export interface Figures {
  calls: number;
  p50Ms: number;
  p99Ms: number;
}

/** A phase of the benchmark: the quiet one, or a load. */
export interface Phase {
  figures: Record<Kind, Figures>;
  /** The victim's failed calls, calls of the recovery included, by kind and reason. */
  failures: Record<string, number>;
  /** The process that has grown most, in bytes of resident memory. */
  memory: { process: string; grownBytes: number };
  /** Names of processes that have ended and were started again. */
  restarted: string[];
  /** How many processors each process has kept busy. */
  processors: Record<string, number>;
}

/** What a load did to the victim. */
export interface LoadOutcome extends Phase {
  load: Pick<Load, 'name' | 'does'>;
  /** What the attacker got. */
  outcomes: Outcomes;
  /** Seconds from the end of the load until the victim's calls were as fast as before; NaN if they were not. */
  recoveredSeconds: number;
  /** Why the load could not run, if so: then the figures mean nothing. */
  fault?: string;
}

export interface Bench {
  world: World;
  calls: Calls;
  attacker: Worker;
  processes: () => ProcessInfo[];
  /** Returns the microseconds of processor time of each process so far. */
  times: () => Record<string, number>;
  seconds: number;
  ended: AbortSignal;
}

/** The targets: a call may take this many times as long as before, or this much longer. */
const ratioMax = 3;
const moreMsMax = 50;
const grownBytesMax = 150e6;

/** After a load, this long a time without a slow or failed call counts as quiet. */
const quietMs = 3_000;
const recoveryMsMax = 60_000;
/** When the attacker's own reads take no longer than this, nothing of a load is left. */
const ownReadMsMax = 1_000;
const memoryEveryMs = 250;

/** Measures the victim's calls without a load. */
export async function measureQuiet(bench: Bench): Promise<Phase> {
  const watch = watchMemory(bench.processes);
  const processorsOf = watchTimes(bench.times);
  const from = performance.now();
  await pause(bench.seconds * 1_000, undefined, { signal: bench.ended });
  const until = performance.now();
  const processors = processorsOf();
  await bench.calls.settled();
  return phaseOf(bench.calls.samples, [from, until], until, { ...watch(), processors });
}

/** Runs a load, measures the victim's calls meanwhile, and waits until they have recovered. */
export async function measureLoad(bench: Bench, load: Load, quiet: Phase): Promise<LoadOutcome> {
  const { calls, attacker, world, times, seconds, ended } = bench;
  const watch = watchMemory(bench.processes);
  const begun = await ask(attacker, { start: load.name, world });
  const processorsOf = watchTimes(times);
  const from = performance.now();
  await pause(begun.fault === undefined ? seconds * 1_000 : 0, undefined, { signal: ended });
  const until = performance.now();
  const processors = processorsOf();
  const stopped = await ask(attacker, { stop: true });
  const recoveredSeconds = await recover(calls, quiet, until, ended);
  const watched = watch();
  const failuresUntil = performance.now();
  await restOfLoad(world, until, ended);
  const fault = begun.fault ?? stopped.fault;
  return {
    ...phaseOf(calls.samples, [from, until], failuresUntil, { ...watched, processors }),
    load: { name: load.name, does: load.does },
    outcomes: stopped.outcomes ?? {},
    recoveredSeconds,
    ...(fault !== undefined && { fault }),
  };
}

/** Returns the missed targets; none if all are met. */
export function missedTargets(phase: Phase, quiet: Phase): string[] {
  const missed: string[] = [];
  if (Object.keys(phase.failures).length > 0) missed.push('failed calls');
  const slow = kinds.filter((kind) => phase.figures[kind].p99Ms > p99MsMax(quiet, kind));
  if (slow.length > 0) missed.push(`p99 of ${slow.join(', ')}`);
  if (phase.memory.grownBytes > grownBytesMax) missed.push('memory');
  if (phase.restarted.length > 0) missed.push(`end of ${phase.restarted.join(', ')}`);
  return missed;
}

function p99MsMax(quiet: Phase, kind: Kind): number {
  const { p99Ms } = quiet.figures[kind];
  return Math.max(ratioMax * p99Ms, p99Ms + moreMsMax);
}

async function ask(attacker: Worker, message: AttackerMessage): Promise<AttackerAnswer> {
  return attacker.ask<AttackerAnswer>(message);
}

/** Waits until the victim's calls are as fast as before. Returns the seconds since `from`. */
async function recover(calls: Calls, quiet: Phase, from: number, ended: AbortSignal): Promise<number> {
  await calls.settled();
  const isBad = ({ kind, ms, failure }: Sample): boolean =>
    failure !== undefined || ms > p99MsMax(quiet, kind);
  for (;;) {
    const now = performance.now();
    const lastBad = calls.samples.findLast(isBad);
    const quietSince = Math.max(from, lastBad ? lastBad.dueAt + lastBad.ms : 0);
    if (now - quietSince >= quietMs) return (quietSince - from) / 1_000;
    if (now - from > recoveryMsMax) return Number.NaN;
    await pause(100, undefined, { signal: ended });
  }
}

/** Waits until the attacker's own reads do not wait for earlier ones either. The next load must not find them. */
async function restOfLoad({ port, attacker }: World, from: number, ended: AbortSignal): Promise<void> {
  using client = openHttpClient(port);
  const headers = { Authorization: attacker.authorization };
  const path = `/v1/workspaces/${attacker.workspaceId}/customers/customer-1`;
  while (performance.now() - from < recoveryMsMax) {
    const startedAt = performance.now();
    const signal = AbortSignal.any([ended, AbortSignal.timeout(recoveryMsMax)]);
    const answer = await client.send({ method: 'GET', path, headers }, { signal }).catch(() => undefined);
    if (answer?.status === 200 && performance.now() - startedAt <= ownReadMsMax) return;
    await pause(ownReadMsMax, undefined, { signal: ended });
  }
}

function phaseOf(
  samples: readonly Sample[],
  [from, until]: [number, number],
  failuresUntil: number,
  used: Pick<Phase, 'memory' | 'restarted' | 'processors'>,
): Phase {
  const during = samples.filter(({ dueAt }) => dueAt >= from && dueAt < until);
  const figuresOf = (kind: Kind): Figures => {
    const sorted = Float64Array.from(during.filter((one) => one.kind === kind).map(({ ms }) => ms)).sort();
    return { calls: sorted.length, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
  };
  const failures: Phase['failures'] = {};
  for (const { kind, dueAt, failure } of samples) {
    if (failure === undefined || dueAt < from || dueAt >= failuresUntil) continue;
    const name = `${kind}: ${failure}`;
    failures[name] = (failures[name] ?? 0) + 1;
  }
  const figures = Object.fromEntries(kinds.map((kind) => [kind, figuresOf(kind)])) as Phase['figures'];
  return { figures, failures, ...used };
}

/** Begins to watch the memory of all processes. Returns a function that ends it and returns the result. */
function watchMemory(processes: () => ProcessInfo[]): () => Pick<Phase, 'memory' | 'restarted'> {
  const before = new Map(processes().map(({ name, pid }) => [name, { pid, bytes: memoryOf(pid) }]));
  const restarted = new Set<string>();
  let memory: Phase['memory'] = { process: '', grownBytes: 0 };
  const look = (): void => {
    for (const { name, pid } of processes()) {
      const known = before.get(name);
      if (known?.pid !== pid) restarted.add(name);
      const grownBytes = memoryOf(pid) - (known?.bytes ?? 0);
      if (grownBytes > memory.grownBytes) memory = { process: name, grownBytes };
    }
  };
  const timer = setInterval(look, memoryEveryMs);
  return () => {
    clearInterval(timer);
    look();
    return { memory, restarted: [...restarted] };
  };
}

/** Returns a function that returns how many processors each process has kept busy since now. */
function watchTimes(times: Bench['times']): () => Phase['processors'] {
  const [from, before] = [performance.now(), times()];
  return () => {
    const microseconds = (performance.now() - from) * 1_000;
    return Object.fromEntries(
      Object.entries(times()).map(([name, time]) => [name, (time - (before[name] ?? 0)) / microseconds]),
    );
  };
}
