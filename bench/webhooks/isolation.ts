import { setTimeout as pause } from 'node:timers/promises';
import { quantile, randomGapMs, spreadOf } from '../measure/statistics.ts';
import { spreadText } from '../measure/turns.ts';
import { startWorker, type Worker } from '../setup/worker.ts';
import { completions } from './contents.ts';
import { startBlackHoles } from './black-holes.ts';
import type { ReceiverState } from './receiver.ts';
import { type Sender, startInteractions, startSender } from './sender.ts';
import { type Service, startService } from './service.ts';

export interface IsolationPlan {
  rounds: number;
  seconds: number;
  /** The completions of the healthy tenant per second, at random moments. */
  perSecond: number;
  holes: number;
  /** Due deliveries of each black hole. */
  backlog: number;
  show: (line: string) => void;
  ended: AbortSignal;
}

/** The behaviour of the black holes. */
const phases = ['none', 'new', 'turned', 'found'] as const;
type Phase = (typeof phases)[number];

const titles: Record<Phase, string> = {
  none: 'no black holes',
  new: 'from the moment that new ones begin',
  turned: 'from the moment that responsive ones turn black',
  found: 'after their breakers have opened',
};

/** Milliseconds from the completion's commit to the request at the healthy receiver. */
export type Latencies = Record<Phase, Float64Array[]>;

const ratioMax = { new: 1.2, turned: 2, found: 1.2 } satisfies Partial<Record<Phase, number>>;
const arrivedMsMax = 30_000;

/**
 * Measures a tenant with a responsive receiver, in turns without and with unresponsive receivers in the same service.
 * The last phase is without, so that each round is between two such phases.
 */
export async function measureIsolation(plan: IsolationPlan): Promise<Latencies> {
  const { show, ended } = plan;
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(startWorker(new URL('./receiver.ts', import.meta.url)));
  const { port } = await receiver.ask<ReceiverState>({});
  const interactions = stack.use(await startInteractions());
  const service = stack.use(await startService({ interactions, show }));
  const sender = stack.use(await startSender(interactions, service));
  const [hook] = await service.createWebhooks([`http://127.0.0.1:${port}/timed`]);
  const tenant: Tenant = { service, sender, receiver, workspaceId: hook?.workspaceId ?? '' };
  show(`${plan.holes} black holes with ${plan.backlog} deliveries each`);
  const holes = await startBlackHoles(service, { ...plan, receiver, port });

  show('warming up');
  for (let times = 0; times < 2; times += 1) await latenciesOf(tenant, plan);
  const latencies: Latencies = { none: [], new: [], turned: [], found: [] };
  const measure = async (phase: Phase, title: string): Promise<void> => {
    ended.throwIfAborted();
    const { swallowed: before } = await receiver.ask<ReceiverState>({});
    const measured = await latenciesOf(tenant, plan);
    const { swallowed } = await receiver.ask<ReceiverState>({});
    latencies[phase].push(measured);
    show(
      `${title}, ${titles[phase]}: p50 ${quantile(measured, 0.5).toFixed(1)} ms, p99 ${quantile(measured, 0.99).toFixed(1)} ms; ${swallowed - before} requests swallowed`,
    );
  };
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const phase of phases) {
      if (phase === 'new') await holes.open('new');
      if (phase === 'turned') await holes.open('responsive');
      await measure(phase, `round ${round} of ${plan.rounds}`);
      // The next phase starts where this one ends.
      if (phase === 'turned') await holes.breakersOpened();
      else await holes.close();
    }
  }
  await measure('none', 'at the end');
  return latencies;
}

/** Whose completions are measured. */
export interface Tenant {
  service: Pick<Service, 'ended'>;
  sender: Pick<Sender, 'complete'>;
  receiver: Worker;
  workspaceId: string;
}

/** Completes conversations at random moments. Returns the latencies to the receiver, in rising order. */
export async function latenciesOf(
  { service, sender, receiver, workspaceId }: Tenant,
  { seconds, perSecond, ended }: Pick<IsolationPlan, 'seconds' | 'perSecond' | 'ended'>,
): Promise<Float64Array> {
  const { count: before } = await receiver.ask<ReceiverState>({});
  const startedAt = new Map<string, number>();
  const completing: Promise<void>[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  for (let at = performance.now(); at < endsAt; at += randomGapMs(perSecond)) {
    await pause(Math.max(0, at - performance.now()), undefined, { signal: ended });
    for (const completion of completions(1)) {
      startedAt.set(completion.id, Number(process.hrtime.bigint()) / 1e6);
      completing.push(sender.complete(completion, workspaceId));
    }
  }
  await Promise.all(completing);
  const arrived = receiver.ask<ReceiverState>({ until: before + startedAt.size });
  const late = pause(arrivedMsMax, undefined, { ref: false }).then(() => {
    throw new Error(`some deliveries to the healthy receiver are missing after ${arrivedMsMax / 1_000} s`);
  });
  const { arrivals } = await Promise.race([arrived, late, service.ended]);
  late.catch(() => {});
  return Float64Array.from(arrivals, ([id, atMs]) => atMs - (startedAt.get(id) ?? Number.NaN)).sort();
}

export function isolationReport(latencies: Latencies): string {
  const p99s = (phase: Phase): number[] => latencies[phase].map((sorted) => quantile(sorted, 0.99));
  const quiet = p99s('none');
  const quietBefore = (round: number): number => quiet[round] ?? Number.NaN;
  const pooled = (phase: Phase): Float64Array =>
    Float64Array.from(latencies[phase].flatMap((sorted) => [...sorted])).sort();
  const quietPooled = quantile(pooled('none'), 0.99);
  const lines = phases.map((phase) => {
    const own = latencies[phase];
    const p50 = spreadText(
      own.map((sorted) => quantile(sorted, 0.5)),
      1,
    );
    const all = quantile(pooled(phase), 0.99);
    const text = `${titles[phase].padEnd(48)}p50 ${p50.padEnd(20)} p99 ${spreadText(p99s(phase), 1).padEnd(24)}`;
    if (phase === 'none') return `${text} of all rounds ${all.toFixed(1)}`;
    // The machine's speed changes over minutes.
    const ratios = p99s(phase).map((p99, round) => (2 * p99) / (quietBefore(round) + quietBefore(round + 1)));
    const isMet = spreadOf(ratios).median <= ratioMax[phase];
    return `${text} of all rounds ${all.toFixed(1)} = ${(all / quietPooled).toFixed(2)}; round by round ${spreadText(ratios, 2)}  target at most ${ratioMax[phase]}: ${isMet ? 'met' : 'NOT MET'}`;
  });
  return [
    `completion to first byte at the healthy receiver, ms, median [min, max] of the rounds; ${latencies.none[0]?.length ?? 0} deliveries a phase`,
    ...lines,
    '',
  ].join('\n');
}
