import { paceTitle } from '../slice.ts';
import { meanOf } from '../statistics.ts';
import type { Cost, Round, TelemetryOutcome } from './measure.ts';
import type { Order } from './order.ts';

/** A mean, and how far off it may be with 95 % certainty. */
type Ratio = ReturnType<typeof meanOf>;

/** Telemetry against none, of the total processor time a call. */
interface TelemetryRatios {
  /** At equal speed of the machine: see `atEqualSpeed`. */
  ratio: Ratio;
  /** As it was measured. */
  rawRatio: Ratio;
}

/** The ratios of an outcome, over its rounds. */
function ratiosOf({ rounds }: TelemetryOutcome): TelemetryRatios {
  const raw = rounds.map((round) => totalOf(meanCost(round.on)) / totalOf(meanCost(round.off)));
  return { ratio: meanOf(rounds.map(atEqualSpeed)), rawRatio: meanOf(raw) };
}

/**
 * A machine that others share changes its speed from one second to the next by more than telemetry costs. Postgres does
 * the same for a call in both kinds of turn, so it tells how fast the machine was: the others are counted in its time.
 */
function atEqualSpeed(round: Round): number {
  const [off, on] = [meanCost(round.off), meanCost(round.on)];
  const slower = postgresOf(on) / postgresOf(off);
  return ((totalOf(on) - postgresOf(on)) / slower + postgresOf(off)) / totalOf(off);
}

/** The outcome as lines for people. */
export function telemetryReport(outcome: TelemetryOutcome): string {
  const { variant, pace, rounds } = outcome;
  const { ratio, rawRatio } = ratiosOf(outcome);
  const isMet = ratio.mean <= variant.ratioMax ? 'met' : 'NOT MET';
  return [
    '',
    `GET interaction, ${paceTitle(pace)}, ${rounds.length} rounds: us of processor time a call`,
    costLine('no telemetry', rounds, 'off'),
    costLine(variant.name, rounds, 'on'),
    `  ratio ${ratioText(ratio)} with 95 % certainty; target at most ${variant.ratioMax}: ${isMet}`,
    `  ratio without regard to the machine's speed ${ratioText(rawRatio)}`,
    '',
  ].join('\n');
}

/** The outcome as a JSON value. */
export function telemetryJson(outcome: TelemetryOutcome): unknown {
  const { variant, pace, rounds } = outcome;
  return { variant: variant.name, pace, ratioMax: variant.ratioMax, ...ratiosOf(outcome), rounds };
}

function ratioText({ mean, margin }: Ratio): string {
  return `${mean.toFixed(3)} +- ${margin.toFixed(3)}`;
}

function costLine(title: string, rounds: readonly Round[], order: Order): string {
  const mean = meanCost(rounds.flatMap((round) => round[order]));
  const processes = Object.entries(mean).map(([name, time]) => `${name} ${time.toFixed(1)}`);
  return `  ${title.padEnd(14)} ${processes.join(' + ')} = ${totalOf(mean).toFixed(1)}`;
}

function meanCost(costs: readonly Cost[]): Cost {
  const [first = {}] = costs;
  const meanTime = (name: string) => meanOf(costs.map((cost) => cost[name] ?? 0)).mean;
  return Object.fromEntries(Object.keys(first).map((name) => [name, meanTime(name)]));
}

function postgresOf(cost: Cost): number {
  return cost['postgres'] ?? Number.NaN;
}

function totalOf(cost: Cost): number {
  return Object.values(cost).reduce((sum, time) => sum + time, 0);
}
