import { setTimeout } from 'node:timers/promises';
import type { Fault } from './faults.ts';
import { type Account, type Strike, settleAccounts } from './ledger.ts';
import { type Load, startLoad } from './load.ts';
import { abandonedShards, becomeQuiet, forgottenDeliveries } from './quiet.ts';
import { createRandom, shuffled } from './random.ts';
import type { Entry } from './receiver.ts';
import type { TeamAccount } from './teams.ts';
import type { World } from './world.ts';

interface RunOptions {
  world: World;
  rounds: number;
  seed: number;
  completionsPerSecond: number;
  /** From the end of one fault to the next, on average. */
  pauseMs: number;
  /** The ledger is checked after this many rounds, and at the end. */
  roundsPerAccount: number;
  faults: readonly Fault[];
  show?: (line: string) => void;
}

export interface RunOutcome {
  strikes: Strike[];
  missed: string[];
  account: Account;
  teams: TeamAccount[];
  /** Violations of the guarantees in all checks. */
  faults: string[];
}

const faultsMax = 20;
const warmUpMs = 5_000;

/** Completes interactions, injects one fault after another, and checks the ledger. */
export async function runFaults(options: RunOptions): Promise<RunOutcome> {
  const { world, rounds, seed, show = () => {} } = options;
  const { teams } = world;
  const random = createRandom(seed);
  const strikes: Strike[] = [];
  const missed: string[] = [];
  const entries: Entry[] = [];
  const faults: string[] = [];
  await using load = startLoad(world.workspace, world.botId, options.completionsPerSecond);

  // A started system is slow at first.
  await setTimeout(warmUpMs);
  let deck: Fault[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    if (faults.length > faultsMax) break;
    if (deck.length === 0) deck = shuffled(options.faults, random);
    const fault = deck.pop();
    if (!fault) break;
    if (round === Math.ceil(rounds / 2)) await teams.latecomer.wake();
    // It sleeps in one half of the round: before the fault, so that it returns during it, or from the fault on.
    const sleepsFirst = round % 2 === 1;
    if (sleepsFirst) await teams.sleeper.sleep(random);
    await setTimeout(options.pauseMs * (0.5 + random()));
    if (sleepsFirst) await teams.sleeper.wake();
    else await teams.sleeper.sleep(random);
    const fromMs = Date.now();
    const reason = await strikeOnce(fault, world, random);
    if (reason) {
      missed.push(fault.name);
      show(`round ${round} missed: ${fault.name}: ${reason.message}`);
    }
    if (!sleepsFirst) await teams.sleeper.wake();
    const { name, kills } = fault;
    strikes.push({ name, kills, fromMs, toMs: Date.now() });
    // While Postgres is unavailable nothing can be checked.
    faults.push(...(await forgottenDeliveries(world).catch(() => [])));
    show(`round ${round}: ${name} (${Date.now() - fromMs} ms); ${load.completed.length} completed`);
    if (round % options.roundsPerAccount === 0 && round < rounds) {
      faults.push(...(await account(options, load, entries, strikes)).faults);
      load.resume();
    }
  }
  const last = await account(options, load, entries, strikes);
  const accounts = await Promise.all([teams.sleeper.account(), teams.latecomer.account()]);
  return {
    strikes,
    missed,
    account: last,
    teams: accounts,
    faults: [...new Set([...faults, ...last.faults])],
  };
}

/** Returns why the fault was not possible, if so. */
async function strikeOnce(fault: Fault, world: World, random: () => number): Promise<Error | undefined> {
  try {
    await fault.strike(world, random);
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    world.processes.thawAll();
  }
}

async function account(
  { world, show = () => {} }: RunOptions,
  load: Load,
  entries: Entry[],
  strikes: Strike[],
): Promise<Account> {
  const pausedAt = Date.now();
  await load.pause();
  const completed = [...load.completed];
  const leftover = await becomeQuiet(world, completed).catch((error: Error) => error.message);
  const abandoned = await abandonedShards(world);
  const ofTeams = await world.teams.faults(completed);
  entries.push(...(await world.receivers.take()));
  const settled = await settleAccounts(world, { completed, entries, strikes });
  const { deliveries, attempts, duplicates } = settled;
  show(
    `quiet after ${((Date.now() - pausedAt) / 1_000).toFixed(1)} s: ${completed.length} completed, ${deliveries} deliveries, ` +
      `${attempts} attempts, ${duplicates.length} duplicates, ${settled.faults.length} faults`,
  );
  return {
    ...settled,
    faults: [...(leftover ? [leftover] : []), ...abandoned, ...ofTeams, ...settled.faults],
  };
}
