import type { Outcome } from './rounds.ts';
import { keptUp, type Measurement, paceTitle } from './slice.ts';
import { median, type Spread, spreadOf } from '../measure/statistics.ts';
import type { Subject } from '../setup/subject.ts';

/** The total of the last subject compared with another subject's, round by round. */
export interface Comparison {
  /** The name of the other one. */
  to: string;
  ratio: Spread;
  /** The maximum ratio; undefined without a target. Only the first subject has one. */
  ratioMax: number | undefined;
}

/** The last subject, compared with each of the others. */
export function comparisonsOf({ measured, pace, rounds }: Outcome): Comparison[] {
  const others = [...rounds];
  const [, compared = []] = others.pop() ?? [];
  return others.map(([{ name }, base], index) => {
    const ratios = compared.map(
      ({ totalPerCall }, round) => totalPerCall / (base[round]?.totalPerCall ?? Number.NaN),
    );
    return { to: name, ratio: spreadOf(ratios), ratioMax: index === 0 ? measured.ratioMax[pace] : undefined };
  });
}

export function reportOf(outcome: Outcome): string {
  const { pace, rounds, fault } = outcome;
  const measured = [...rounds].filter(([, measurements]) => measurements.length > 0);
  const late = measured.filter(([, measurements]) => !keptUp(pace, measurements));
  return [
    '',
    `${outcome.measured.title}, ${paceTitle(pace)}`,
    `  ${''.padEnd(16)}  calls/s   p50 ms   p99 ms  us of processor time a call`,
    ...measured.map(([subject, measurements]) => lineOf(subject, measurements)),
    ...(measured.length > 0 ? comparisonsOf(outcome).map(comparisonLine) : []),
    ...late.map(([{ name }]) => `  ${name.padEnd(16)}  could not keep up: this was no moderate load for it`),
    ...(fault === undefined ? [] : [`  GIVEN UP: ${fault}`]),
    '',
  ].join('\n');
}

/** Returns `1.23 [1.10-1.40]`, and whether the target is met. */
export function ratioText(ratio: Spread, ratioMax: number | undefined): string {
  const text = `${ratio.median.toFixed(2)} [${ratio.min.toFixed(2)}-${ratio.max.toFixed(2)}]`;
  if (ratioMax === undefined) return `${text}  (no target)`;
  return `${text}  target at most ${ratioMax}: ${ratio.median <= ratioMax ? 'met' : 'NOT MET'}`;
}

export function jsonOf(outcome: Outcome): unknown {
  return {
    case: outcome.measured.name,
    pace: outcome.pace,
    subjects: [...outcome.rounds].map(([{ name }, rounds]) => ({ name, rounds })),
    comparisons: comparisonsOf(outcome),
    ...(outcome.fault !== undefined && { fault: outcome.fault }),
  };
}

function comparisonLine({ to, ratio, ratioMax }: Comparison): string {
  return `  ratio of the totals to ${to}, median of the rounds: ${ratioText(ratio, ratioMax)}`;
}

function lineOf({ name }: Subject, measurements: readonly Measurement[]): string {
  const of = (value: (one: Measurement) => number): number => median(measurements.map(value));
  const processes = Object.keys(measurements[0]?.perCall ?? {}).map(
    (process) => `${process} ${of(({ perCall }) => perCall[process] ?? 0).toFixed(0)}`,
  );
  return [
    `  ${name.padEnd(16)}`,
    of((one) => one.callsPerSecond)
      .toFixed(0)
      .padStart(8),
    of((one) => one.p50Ms)
      .toFixed(2)
      .padStart(8),
    of((one) => one.p99Ms)
      .toFixed(2)
      .padStart(8),
    `${processes.join(' + ')} = ${of((one) => one.totalPerCall).toFixed(0)}`,
    `(load ${of((one) => one.loadPerCall).toFixed(0)}; processors busy elsewhere ${of((one) => one.busyElsewhere).toFixed(1)})`,
  ].join(' ');
}
