import { spreadOf } from './statistics.ts';

interface Plan {
  rounds: number;
  /** Aborted when the run must end. */
  ended: AbortSignal;
}

/**
 * Runs the ways in turns, so that changes of the machine affect all of them; every second round in the opposite order.
 * Returns the costs of each in the order of the rounds, without a first round for warming up.
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

/** Returns a figure of the costs divided by the same figure of other costs, round by round, as `spreadText`. */
export function costRatioText<Cost>(
  of: (cost: Cost) => number,
  costs: readonly Cost[],
  base: readonly Cost[],
): string {
  const ratios = costs.map((cost, round) => of(cost) / of(base[round] ?? cost));
  return spreadText(ratios, 2);
}
