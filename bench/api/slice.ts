import { setTimeout } from 'node:timers/promises';
import type { Case, Pace } from './cases.ts';
import type { SliceResult } from '../load/protocol.ts';
import { busyTime, timeOf } from '../measure/processor-time.ts';
import { median } from '../measure/statistics.ts';
import type { Subject } from '../setup/subject.ts';
import type { Worker } from '../setup/worker.ts';

/** One subject in one round. */
export interface Measurement extends Pick<SliceResult, 'calls' | 'p50Ms' | 'p99Ms'> {
  callsPerSecond: number;
  /** Microseconds of processor time per call, by process. */
  perCall: Record<string, number>;
  /** The sum of these. */
  totalPerCall: number;
  /** The processor time of the load itself, which is in no total. */
  loadPerCall: number;
  /** How many processors other work kept busy: figures of a busy machine are unreliable. */
  busyElsewhere: number;
}

/** Failed calls: the server rejected them, or could not keep up. */
export class LoadFault extends Error {
  override readonly name = 'LoadFault';
}

const connections = 64;
const callsPerSecond = 500;
/** Requests that can be sent only once. A slice without further ones ends early. */
const singleUsePerSecond: Record<Pace, number> = { saturated: 2_500, moderate: 600 };
const repeatedRequests = 4_096;

export function paceTitle(pace: Pace): string {
  return pace === 'saturated' ? `${connections} connections` : `${callsPerSecond} calls/s`;
}

/** Returns whether the calls had the requested pace. Random moments explain a few per cent. */
export function keptUp(pace: Pace, measurements: readonly Measurement[]): boolean {
  const achieved = median(measurements.map((one) => one.callsPerSecond));
  return pace === 'saturated' || achieved > 0.9 * callsPerSecond;
}

/** Returns how many requests that can be sent only once a slice may need. */
export function singleUseRequests(pace: Pace, seconds: number): number {
  return Math.ceil(seconds * singleUsePerSecond[pace]);
}

/**
 * Loads a subject for some seconds and returns the cost. `taken`: how many requests of the case it has had before.
 * Starts when earlier work has finished. Throws `LoadFault` unless every answer is 2xx.
 */
export async function measureSlice(options: {
  subject: Subject;
  measured: Case;
  pace: Pace;
  seconds: number;
  taken: number;
  load: Worker;
  /** The processes whose earlier work must have finished. */
  subjects: readonly Subject[];
  ended: AbortSignal;
}): Promise<Measurement> {
  const { subject, measured, pace, seconds, taken, load, subjects } = options;
  const { isRepeated } = measured;
  const count = isRepeated ? repeatedRequests : singleUseRequests(pace, seconds);
  const requests = await measured.requests(subject, count, taken);
  if (requests.length === 0) throw new LoadFault(`${subject.name} has had all requests of this case`);
  await settled(subjects, options.ended);

  const read = () => ({ own: subject.times(), load: timeOf(load.pid), busy: busyTime() });
  const before = read();
  const result = await load.ask<SliceResult>({
    port: subject.port,
    requests,
    isRepeated,
    seconds,
    ...(pace === 'saturated' ? { connections } : { callsPerSecond }),
  });
  const after = read();
  const { faultCount, faults, p50Ms, p99Ms } = result;
  const calls = result.calls * (subject.itemsPerCall ?? 1);
  if (faultCount > 0) {
    throw new LoadFault(
      `${faultCount} of ${result.calls} calls to ${subject.name} failed:\n${faults.join('\n')}`,
    );
  }
  const used = Object.entries(after.own).map(
    ([name, time]) => [name, time - (before.own[name] ?? 0)] as const,
  );
  const total = used.reduce((sum, [, time]) => sum + time, 0);
  const ofLoad = after.load - before.load;
  return {
    calls,
    callsPerSecond: calls / result.seconds,
    p50Ms,
    p99Ms,
    perCall: Object.fromEntries(used.map(([name, time]) => [name, time / calls])),
    totalPerCall: total / calls,
    loadPerCall: ofLoad / calls,
    busyElsewhere: Math.max(0, after.busy - before.busy - total - ofLoad) / (result.seconds * 1_000_000),
  };
}

const quietMs = 200;
/** The limit of all idle processes together: their timers and a little housekeeping. */
const quietShare = 0.1;
const settleMsMax = 10_000;

/** Waits until the remaining work of earlier slices is done, or for ten seconds. */
async function settled(subjects: readonly Subject[], ended: AbortSignal): Promise<void> {
  const used = (): number =>
    subjects.reduce((sum, { times }) => Object.values(times()).reduce((all, time) => all + time, sum), 0);
  const giveUpAt = Date.now() + settleMsMax;
  for (let last = used(); Date.now() < giveUpAt; ) {
    await setTimeout(quietMs, undefined, { signal: ended });
    const now = used();
    if (now - last <= quietMs * 1000 * quietShare) return;
    last = now;
  }
}
