import { paceTitle } from '../slice.ts';
import { meanOf } from '../statistics.ts';
import type { Cost, Round, TelemetryOutcome } from './measure.ts';
import type { Order } from './order.ts';

/** A mean, with its margin at 95 % certainty. */
type Ratio = ReturnType<typeof meanOf>;

/** The ratio of total processor time per call, with telemetry to without. */
interface TelemetryRatios {
  /** At equal speed of the machine: see `atEqualSpeed`. */
  ratio: Ratio;
  /** As measured. */
  rawRatio: Ratio;
}

/** Returns the ratios of an outcome, over its rounds. */
function ratiosOf({ rounds }: TelemetryOutcome): TelemetryRatios {
  const raw = rounds.map((round) => totalOf(meanCost(round.on)) / totalOf(meanCost(round.off)));
  return { ratio: meanOf(rounds.map(atEqualSpeed)), rawRatio: meanOf(raw) };
}

/**
 * On a shared machine, the speed changes from one second to the next by more than telemetry costs. Postgres does the
 * same work for a call in both kinds of turn, so its time measures the speed: the other times are divided by it.
 */
function atEqualSpeed(round: Round): number {
  const [off, on] = [meanCost(round.off), meanCost(round.on)];
  const slower = postgresOf(on) / postgresOf(off);
  return ((totalOf(on) - postgresOf(on)) / slower + postgresOf(off)) / totalOf(off);
}

/** Returns the outcome as lines for people. */
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

/** Returns the outcome as a JSON value. */
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
