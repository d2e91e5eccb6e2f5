import { inSpan, SpanKind } from '@parley/runtime/telemetry/telemetry';
import { quantile } from '../statistics.ts';
import { answerTurns, type Turn, type Work, workUnder } from '../turns/worker.ts';
import { callers, type Way } from './callers.ts';

/** The first message: the server to call, and the way. */
export interface ClientStart {
  way: Way;
  address: string;
}

/** The result of a turn. */
export interface Calls extends Work {
  p50Us: number;
  p99Us: number;
}

await answerTurns(async ({ way, address }: ClientStart) => {
  const call = callers[way](address);
  return async (turn: Turn): Promise<Calls> => {
    const latenciesUs: number[] = [];
    const work = await workUnder(turn, async () => {
      const startedAt = performance.now();
      await inSpan('bench', { kind: SpanKind.SERVER }, call);
      latenciesUs.push((performance.now() - startedAt) * 1_000);
    });
    const sorted = Float64Array.from(latenciesUs).sort();
    return { ...work, p50Us: quantile(sorted, 0.5), p99Us: quantile(sorted, 0.99) };
  };
});
