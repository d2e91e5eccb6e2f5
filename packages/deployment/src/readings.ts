import type { GetProcessStateResponse, Reading } from '@parley/contracts/process/v1/process';

export interface AnsweredReplica {
  address: string;
  state: GetProcessStateResponse | undefined;
  /** Whether it answers calls. A replica of an earlier release does, and has no state. */
  isAnswering: boolean;
  unreachableSince: Date | undefined;
}

export interface ReplicaReading extends Reading {
  service: string;
  address: string;
}

export type Answers = ReadonlyMap<string, readonly AnsweredReplica[]>;

export function readingsOf(answers: Answers, metric: string): ReplicaReading[] {
  return [...answers].flatMap(([service, replicas]) =>
    replicas.flatMap(({ address, state }) =>
      (state?.readings ?? [])
        .filter((reading) => reading.metric === metric)
        .map((reading) => ({ ...reading, service, address })),
    ),
  );
}

/** Returns the highest value of each subject, which every replica reports. */
export function highestBy(readings: readonly Reading[], attribute: string): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { attributes, value } of readings) {
    const subject = attributes[attribute] ?? '';
    highest.set(subject, Math.max(highest.get(subject) ?? value, value));
  }
  return highest;
}

/** Null without a reading. */
export function highest(readings: readonly Reading[]): number | null {
  return readings.length === 0 ? null : Math.max(...readings.map(({ value }) => value));
}

/** Null without a reading. */
export function sum(readings: readonly Reading[]): number | null {
  return readings.length === 0 ? null : readings.reduce((total, { value }) => total + value, 0);
}
