import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf } from '../measure/memory.ts';
import type { Deployment } from '../setup/deployment.ts';
import { openAdmin } from '../setup/seed.ts';

/** What a process uses without calls, in both systems. */
interface IdleProcess {
  process: string;
  /** Percent of one processor. */
  small: number;
  large: number;
  /** Resident memory in MB. Of Postgres only its first process. */
  smallMb: number;
  largeMb: number;
}

export interface Idle {
  processes: IdleProcess[];
  /** Transactions of Postgres per second, in the small and the large system. */
  transactions: [number, number];
}

const seconds = 30;
/** Until insight has read what changed during its scan. */
const settleSeconds = 30;

/** Measures both systems at the same time, after their figures have been counted. */
export async function measureIdle(small: Deployment, large: Deployment, ended: AbortSignal): Promise<Idle> {
  await pause(settleSeconds * 1_000, undefined, { signal: ended });
  const [ofSmall, ofLarge] = await Promise.all([small, large].map((one) => usedBy(one, ended)));
  if (!ofSmall || !ofLarge) throw new Error('two systems');
  const processes = Object.keys(ofSmall.percent).map((process) => ({
    process,
    small: ofSmall.percent[process] ?? 0,
    large: ofLarge.percent[process] ?? 0,
    smallMb: ofSmall.mb(process),
    largeMb: ofLarge.mb(process),
  }));
  return { processes, transactions: [ofSmall.transactions, ofLarge.transactions] };
}

async function usedBy({ system, times }: Deployment, ended: AbortSignal) {
  const { postgresUrl, processes } = system.local();
  await using admin = await openAdmin(postgresUrl);
  const committed = async (): Promise<number> => {
    const { rows } = await admin.query<{ n: string }>('select sum(xact_commit) as n from pg_stat_database');
    return Number(rows[0]?.n);
  };
  const [from, before, committedBefore] = [performance.now(), times(), await committed()];
  await pause(seconds * 1_000, undefined, { signal: ended });
  const after = times();
  const took = (performance.now() - from) / 1_000;
  const percent = Object.fromEntries(
    Object.entries(after).map(([name, time]) => [name, (time - (before[name] ?? 0)) / 10_000 / took]),
  );
  const mb = (name: string): number => memoryOf(processes.find((one) => one.name === name)?.pid ?? 0) / 1e6;
  return { percent, mb, transactions: ((await committed()) - committedBefore) / took };
}

export function idleReport({ processes, transactions }: Idle): string {
  const lines = processes.map(({ process, small, large, smallMb, largeMb }) => {
    const figures = [small, large].map((value) => `${value.toFixed(2)} %`.padStart(9));
    const memory = [smallMb, largeMb].map((value) => `${value.toFixed(0)} MB`.padStart(9));
    return `  ${process.padEnd(44)}${[...figures, ...memory].join('')}`;
  });
  return [
    `\nWithout calls for ${seconds} seconds: share of a processor, and memory`,
    ...lines,
    `  ${'transactions per second'.padEnd(44)}${transactions.map((n) => n.toFixed(1).padStart(9)).join('')}`,
    '',
  ].join('\n');
}
