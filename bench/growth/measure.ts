import { spreadOf, type Spread } from '../measure/statistics.ts';
import type { Subject } from '../setup/subject.ts';
import type { GrowthCase } from './cases.ts';
import { CallFault, type Client } from './client.ts';

/** A workspace of a given size, with a client for it. */
export interface Side {
  subject: Subject;
  client: Client;
}

export interface GrowthOutcome {
  measured: Pick<GrowthCase, 'title' | 'against' | 'ratioMax'>;
  smallMs: Spread;
  largeMs: Spread;
  /** The reason of an abort, if any: then the figures are of fewer calls, or of none. */
  fault?: string;
}

const callsMax = 200;
const callsMin = 7;
const secondsMax = 5;
const warmUpCalls = 5;

/** Makes the same call on both sides alternately, until one of them fails. */
export async function measureGrowth(measured: GrowthCase, small: Side, large: Side): Promise<GrowthOutcome> {
  const call = async ({ subject, client }: Side): Promise<number> =>
    (await client.call(measured.method, measured.path(subject), measured.body?.(subject))).ms;
  const smallMs: number[] = [];
  const largeMs: number[] = [];
  try {
    for (let warmUp = 0; warmUp < warmUpCalls; warmUp += 1) {
      await call(small);
      await call(large);
    }
    const endsAt = performance.now() + secondsMax * 1000;
    while (smallMs.length < callsMin || (smallMs.length < callsMax && performance.now() < endsAt)) {
      smallMs.push(await call(small));
      largeMs.push(await call(large));
    }
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    return { measured, smallMs: spreadOf(smallMs), largeMs: spreadOf(largeMs), fault: error.message };
  }
  return { measured, smallMs: spreadOf(smallMs), largeMs: spreadOf(largeMs) };
}
