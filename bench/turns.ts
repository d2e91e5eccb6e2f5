import { numberFlag, readFlags, runBenchmark } from './flags.ts';
import { spreadOf } from './statistics.ts';
import type { Load } from './turns/worker.ts';

/** The number and length of each way's turns. */
export interface Plan {
  rounds: number;
  seconds: number;
  /** Aborted when the run must end. */
  ended: AbortSignal;
}

/** The load of the comparison. */
export const loads: readonly Load[] = [{ inFlight: 64 }, { perSecond: 500 }];

/** Returns the load for people. */
export function loadTitle(load: Load): string {
  return 'inFlight' in load ? `${load.inFlight} in flight` : `${load.perSecond}/s`;
}

const help = (name: string, measures: string): string => `usage: npm run bench:${name} -- [FLAGS]

Measures ${measures}.

  --rounds N    turns of each way (5)
  --seconds N   how long each turn (3)
  --help        this text
`;

/** Runs `npm run bench:<name>`, which compares ways to do one thing. Flags: `--rounds`, `--seconds`, `--help`. */
export function runComparison(
  { name, measures }: { name: string; measures: string },
  compare: (plan: Plan) => Promise<void>,
): Promise<never> {
  return runBenchmark(async (ended) => {
    const flags = readFlags({
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      help: { type: 'boolean', short: 'h', default: false },
    });
    if (flags.help) {
      process.stdout.write(help(name, measures));
      return;
    }
    const rounds = numberFlag('rounds', flags.rounds, 1);
    await compare({ rounds, seconds: numberFlag('seconds', flags.seconds, 0.5), ended });
  });
}

/**
 * Runs the ways in turns, so that changes of the machine affect all of them; every second round in the opposite order.
 * Returns the costs of each in the order of the rounds, without those of a first round for warming up.
 */
export async function takeTurns<Way extends string, Cost>(
  ways: readonly Way[],
  { rounds, ended }: Plan,
  take: (way: Way) => Promise<Cost>,
): Promise<Record<Way, Cost[]>> {
  const costs = Object.fromEntries(ways.map((way): [Way, Cost[]] => [way, []])) as Record<Way, Cost[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      ended.throwIfAborted();
      const cost = await take(way);
      if (round > 0) costs[way].push(cost);
    }
  }
  return costs;
}

/** Returns the figures of the rounds as `median [minimum, maximum]`. */
export function spreadText(values: readonly number[], digits: number): string {
  const { median, min, max } = spreadOf(values);
  return `${median.toFixed(digits)} [${min.toFixed(digits)}, ${max.toFixed(digits)}]`;
}

/** Returns a figure of the costs divided by that of other costs, round by round, as `spreadText`. */
export function costRatioText<Cost>(
  of: (cost: Cost) => number,
  costs: readonly Cost[],
  base: readonly Cost[],
): string {
  const ratios = costs.map((cost, round) => of(cost) / of(base[round] ?? cost));
  return spreadText(ratios, 2);
}
