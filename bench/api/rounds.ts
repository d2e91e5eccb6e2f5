import type { Case, Pace } from './cases.ts';
import { LoadFault, type Measurement, measureSlice, paceTitle, singleUseRequests } from './slice.ts';
import type { Subject } from '../setup/subject.ts';
import { startWorker } from '../setup/worker.ts';

/** A case at a pace: the measurements of each subject, in the order of the rounds. */
export interface Outcome {
  measured: Case;
  pace: Pace;
  rounds: Map<Subject, Measurement[]>;
  /** The reason of an abort, if any: then there are fewer rounds. */
  fault?: string;
}

export interface Plan {
  cases: readonly Case[];
  paces: readonly Pace[];
  rounds: number;
  /** Of each slice. */
  seconds: number;
  show: (line: string) => void;
  /** Called after the first warm-up. */
  onWarm: () => void;
  onOutcome: (outcome: Outcome) => void;
  /** Aborted when the run must end. */
  ended: AbortSignal;
}

const warmUpRounds = 2;

/** Returns how many requests that can be sent only once a subject may get in a run of this plan. */
export function singleUseTotal({ paces, rounds, seconds }: Plan): number {
  const ofPace = (pace: Pace): number => (rounds + warmUpRounds) * singleUseRequests(pace, seconds);
  return 1 + paces.reduce((sum, pace) => sum + ofPace(pace), 0);
}

/**
 * Measures every case at every pace: the subjects in turn, in rounds, so that changes of the machine affect all of
 * them; every second round in the opposite order. Aborts a case that a subject cannot keep up with.
 */
export async function measureAll(subjects: readonly Subject[], plan: Plan): Promise<Outcome[]> {
  await using load = startWorker(new URL('../load/main.ts', import.meta.url));
  const { seconds, ended, show } = plan;
  const outcomes: Outcome[] = [];
  for (const measured of plan.cases) {
    // The comparison of the answers used the first request that can be sent only once.
    const taken = new Map(subjects.map((subject) => [subject, 1]));
    for (const pace of plan.paces) {
      const title = `${measured.title}, ${paceTitle(pace)}`;
      const outcome: Outcome = { measured, pace, rounds: new Map(subjects.map((subject) => [subject, []])) };
      const runRound = async (
        order: readonly Subject[],
        name: string,
      ): Promise<Map<Subject, Measurement>> => {
        const round = new Map<Subject, Measurement>();
        for (const subject of order) {
          const before = taken.get(subject) ?? 0;
          const slice = { subject, measured, pace, seconds, taken: before, load, subjects, ended };
          const measurement = await measureSlice(slice);
          taken.set(subject, before + measurement.calls);
          round.set(subject, measurement);
          const { callsPerSecond, totalPerCall } = measurement;
          show(
            `${title}: ${name}, ${subject.name}: ${callsPerSecond.toFixed(0)} calls/s, ${totalPerCall.toFixed(0)} us`,
          );
        }
        return round;
      };
      try {
        for (let round = 1; round <= warmUpRounds; round += 1) await runRound(subjects, 'warming up');
        if (outcomes.length === 0) plan.onWarm();
        for (let round = 1; round <= plan.rounds; round += 1) {
          const order = round % 2 === 1 ? subjects : subjects.toReversed();
          const measurements = await runRound(order, `round ${round} of ${plan.rounds}`);
          for (const [subject, measurement] of measurements) outcome.rounds.get(subject)?.push(measurement);
        }
      } catch (error) {
        if (!(error instanceof LoadFault)) throw error;
        outcome.fault = error.message;
      }
      outcomes.push(outcome);
      plan.onOutcome(outcome);
    }
  }
  return outcomes;
}
