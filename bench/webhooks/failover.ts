import { setTimeout as pause } from 'node:timers/promises';
import { spreadOf } from '../measure/statistics.ts';
import { startWorker } from '../setup/worker.ts';
import { completions } from './contents.ts';
import { receivedBy } from './cost.ts';
import type { ReceiverState } from './receiver.ts';
import { storeCompletions } from './paused-lanes.ts';
import { startService } from './service.ts';

export interface FailoverPlan {
  rounds: number;
  webhooks: number;
  show: (line: string) => void;
  ended: AbortSignal;
}

const changeMsMax = 10_000;
/** The time limit for two replicas to divide the shards. */
const dividedMs = 4_000;

/**
 * Kills one of two replicas in each round, completes an interaction for each webhook, and returns how many milliseconds
 * passed from the kill until all of them were delivered.
 */
export async function measureFailover({ rounds, webhooks, show, ended }: FailoverPlan): Promise<number[]> {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(startWorker(new URL('./receiver.ts', import.meta.url)));
  const { port } = await receiver.ask<ReceiverState>({});
  const service = stack.use(await startService({ show, replicas: 2 }));
  const target = `http://127.0.0.1:${port}/hook`;
  const hooks = await service.createWebhooks(Array.from({ length: webhooks }, () => target));
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await pause(dividedMs, undefined, { signal: ended });
    const { count } = await receiver.ask<ReceiverState>({});
    const killedAtMs = performance.now();
    service.kill();
    await storeCompletions(service.db, completions(hooks.length), (at) => hooks[at]);
    service.notify(hooks.map(({ id }) => id));
    await receivedBy(service, receiver, count + hooks.length);
    const tookMs = performance.now() - killedAtMs;
    times.push(tookMs);
    show(`round ${round} of ${rounds}: ${tookMs.toFixed(0)} ms`);
    await service.startReplica();
  }
  return times;
}

export function failoverReport(times: readonly number[]): string {
  const { median } = spreadOf([...times]);
  const maxMs = Math.max(...times);
  const judged = maxMs <= changeMsMax ? 'met' : 'NOT MET';
  return [
    `all lanes of a killed replica continued after: p50 ${median.toFixed(0)} ms, max ${maxMs.toFixed(0)} ms`,
    `target at most ${changeMsMax} ms: ${judged}`,
    '',
  ].join('\n');
}
