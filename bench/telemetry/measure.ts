import { resolve } from 'node:path';
import { serviceNames } from '@parley/contracts/services';
import type { Case, Pace } from '../cases.ts';
import { fill } from '../contents.ts';
import { startDeployment, subjectOf } from '../deployment.ts';
import type { Slice, SliceResult } from '../load/protocol.ts';
import { startWorker, type Worker } from '../worker.ts';
import { type Clock, startClock } from './clock.ts';
import type { Order } from './order.ts';
import { openSwitch } from './switch.ts';
import { type Variant, variants } from './variants.ts';

/** Microseconds of processor time per call, by process. */
export type Cost = Record<string, number>;

/** Two turns with telemetry between two without. */
export type Round = Record<Order, Cost[]>;

/** The measurements of a way to run the services, at a pace. */
export interface TelemetryOutcome {
  variant: Variant;
  pace: Pace;
  rounds: Round[];
}

interface Plan {
  measured: Case;
  paces: readonly Pace[];
  rounds: number;
  /** Of each turn. */
  seconds: number;
  show: (line: string) => void;
  onOutcome: (outcome: TelemetryOutcome) => void;
  /** Aborted when the run must end. */
  ended: AbortSignal;
}

type Sizes = Parameters<typeof fill>[1];

const warmUpSeconds = 24;
const loads = { saturated: { connections: 64 }, moderate: { callsPerSecond: 500 } } as const;
/** Slow changes of the machine's speed affect both alike. */
const order: readonly Order[] = ['off', 'on', 'on', 'off'];

/**
 * Measures each way to run the services with its telemetry and without, in turns in the same processes: two sets of
 * processes of the same code differ by more than telemetry costs.
 */
export async function measureTelemetry(plan: Plan, sizes: Sizes): Promise<TelemetryOutcome[]> {
  await using sink = startWorker(resolve(import.meta.dirname, 'sink.ts'));
  const outcomes: TelemetryOutcome[] = [];
  for (const variant of variants(await sink.ask<number>({}))) {
    outcomes.push(...(await measureVariant(variant, plan, sizes)));
  }
  return outcomes;
}

async function measureVariant(variant: Variant, plan: Plan, sizes: Sizes): Promise<TelemetryOutcome[]> {
  const { measured, seconds, show, ended } = plan;
  show(`starting the system with ${variant.name}`);
  await using control = await openSwitch(variant.switched);
  await using load = startWorker(resolve(import.meta.dirname, '../load/main.ts'));
  await using deployment = await startDeployment({
    nodeFlags: () => control.nodeFlags,
    env: variant.env,
    metrics: variant.switched === 'metrics',
    show,
    ended,
  });
  const contents = await fill(deployment, sizes, show);
  const subject = subjectOf(variant.name, deployment, contents);
  const { processes } = deployment.system.local();
  const clock = startClock(Object.fromEntries(processes.map(({ name, pid }) => [name, pid])));
  const requests = await measured.requests(subject, 4_096, 0);

  const outcomes: TelemetryOutcome[] = [];
  for (const pace of plan.paces) {
    const slice: Slice = { port: subject.port, requests, isRepeated: true, seconds, ...loads[pace] };
    const runRound = async (): Promise<Round> => {
      const round: Round = { off: [], on: [] };
      for (const to of order) {
        ended.throwIfAborted();
        await control.turn(to, serviceNames.length);
        round[to].push(await takeTurn(slice, load, clock));
      }
      return round;
    };
    show(`${variant.name}, ${pace}: warming up`);
    for (let spent = 0; spent < warmUpSeconds; spent += order.length * seconds) await runRound();
    const rounds: Round[] = [];
    while (rounds.length < plan.rounds) {
      rounds.push(await runRound());
      if (rounds.length % 10 === 0)
        show(`${variant.name}, ${pace}: round ${rounds.length} of ${plan.rounds}`);
    }
    const outcome = { variant, pace, rounds };
    outcomes.push(outcome);
    plan.onOutcome(outcome);
  }
  return outcomes;
}

// A turn ends when all its calls have been answered, so no call runs during a switch.
async function takeTurn(slice: Slice, load: Worker, clock: Clock): Promise<Cost> {
  const before = clock();
  const { calls, faultCount, faults } = await load.ask<SliceResult>(slice);
  const after = clock();
  if (faultCount > 0) throw new Error(`${faultCount} of ${calls} calls failed:\n${faults.join('\n')}`);
  const costs = Object.entries(after).map(([name, time]) => [name, (time - (before[name] ?? 0)) / calls]);
  return Object.fromEntries(costs) as Cost;
}
