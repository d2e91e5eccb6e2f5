import { spreadOf } from '../measure/statistics.ts';
import { costRatioText, takeTurns } from '../measure/turns.ts';
import { startWorker, type Worker } from '../setup/worker.ts';
import { type Contestant, parley, startPeer } from './contestants.ts';
import { type Cost, costLines, costOf, receivedBy, totalOf } from './cost.ts';
import type { PeerName } from './peers/worker.ts';
import type { ReceiverState } from './receiver.ts';
import { startService } from './service.ts';

export interface ComparisonPlan {
  peers: readonly PeerName[];
  rounds: number;
  deliveries: number;
  webhooks: number;
  nodeFlags: readonly string[];
  show: (line: string) => void;
  /** Called after the first round, which is for warming up. */
  onWarm: () => void;
  ended: AbortSignal;
}

export type Name = 'Parley' | PeerName;

/** The peer that does the same job, with a target. */
const judged = 'graphile-worker with log' satisfies Name;
const costRatioMax = 1;
/** Shown without a target. */
const shown = ['graphile-worker', 'minimal sender'] as const satisfies readonly Name[];

/** Makes all of them deliver equal events to one receiver, in turns. Returns the costs in the order of the rounds. */
export async function compare(plan: ComparisonPlan): Promise<Map<Name, Cost[]>> {
  const { show, ended } = plan;
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(startWorker(new URL('./receiver.ts', import.meta.url)));
  const { port } = await receiver.ask<ReceiverState>({});
  const target = `http://127.0.0.1:${port}/hook`;

  show('starting all of them');
  const contestants = new Map<Name, Contestant>();
  const service = stack.use(await startService({ nodeFlags: plan.nodeFlags, show }));
  const hooks = await service.createWebhooks(Array.from({ length: plan.webhooks }, () => target));
  contestants.set('Parley', parley(service, hooks));
  for (const peer of plan.peers) {
    contestants.set(peer, await startPeer(peer, target, stack));
  }

  let turns = 0;
  const costs = await takeTurns([...contestants.keys()], plan, async (name) => {
    const contestant = contestants.get(name);
    if (!contestant) throw new Error(`unknown contestant ${name}`);
    const cost = await takeTurn(contestant, receiver, plan.deliveries);
    const { workerUs, storeUs, perSecond } = cost;
    const round = Math.floor(turns / contestants.size);
    show(
      `${round === 0 ? 'warming up' : `round ${round} of ${plan.rounds}`}, ${name}: ${perSecond.toFixed(0)}/s, ${workerUs.toFixed(0)} + ${storeUs.toFixed(0)} us`,
    );
    turns += 1;
    if (turns === contestants.size) plan.onWarm();
    ended.throwIfAborted();
    return cost;
  });
  return new Map(Object.entries(costs) as [Name, Cost[]][]);
}

async function takeTurn(contestant: Contestant, receiver: Worker, deliveries: number): Promise<Cost> {
  await contestant.prepare(deliveries);
  const { count: before } = await receiver.ask<ReceiverState>({});
  const cost = await costOf(contestant, { receiver, deliveries, start: () => contestant.start() });
  await receivedBy(contestant, receiver, before + deliveries);
  await contestant.finish();
  const { count } = await receiver.ask<ReceiverState>({});
  if (count > before + deliveries) throw new Error(`${count - before} requests for ${deliveries} deliveries`);
  return cost;
}

export function comparisonReport(costs: ReadonlyMap<Name, readonly Cost[]>): string {
  return [...costLines(costs), '', ...ratioLines(costs), ''].join('\n');
}

function ratioLines(costs: ReadonlyMap<Name, readonly Cost[]>): string[] {
  const ours = costs.get('Parley') ?? [];
  const ratio = spreadOf(
    ours.map((cost, round) => totalOf(cost) / totalOf(costs.get(judged)?.[round] ?? cost)),
  ).median;
  const line = (what: string, name: Name, of: (cost: Cost) => number): string =>
    `${what}, Parley / ${name}: ${costRatioText(of, ours, costs.get(name) ?? [])}`;
  const linesOf = (name: Name, verdict = ''): string[] =>
    costs.has(name)
      ? [
          line('processor time', name, totalOf) + verdict,
          line('deliveries a second', name, ({ perSecond }) => perSecond),
        ]
      : [];
  return [
    ...linesOf(judged, `  target at most ${costRatioMax}: ${ratio <= costRatioMax ? 'met' : 'NOT MET'}`),
    ...shown.flatMap((name) => linesOf(name)),
  ];
}
