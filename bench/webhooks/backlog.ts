import { spreadOf } from '../statistics.ts';
import { costRatioText, takeTurns } from '../turns.ts';
import { startWorker } from '../worker.ts';
import { addBacklog, type BacklogSize } from './backlog-rows.ts';
import { type Cost, costLines, costOf, totalOf } from './cost.ts';
import { holdBack, holdUntilQuiet, letGo } from './held-back.ts';
import type { ReceiverState } from './receiver.ts';
import { type Hook, type Service, startService } from './service.ts';
import { tidy } from './tidy.ts';

export interface BacklogPlan extends BacklogSize {
  rounds: number;
  /** In a turn. */
  deliveries: number;
  webhooks: number;
  show: (line: string) => void;
  ended: AbortSignal;
}

const ways = ['nothing else', 'with a backlog'] as const;
type Way = (typeof ways)[number];

const ratioMax = 1.2;
/** What a turn changes much of. */
const hotTables = 'webhook.open_delivery, webhook.lane';

/**
 * Measures what a delivery costs where there is nothing else and where there is a backlog, in two services side by side. What is
 * due competes: a turn delivers of whatever is due, spread over as many webhooks on both sides.
 */
export async function measureBacklog(plan: BacklogPlan): Promise<Record<Way, Cost[]>> {
  const { deliveries, show, ended } = plan;
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(startWorker(new URL('./receiver.ts', import.meta.url)));
  const { port } = await receiver.ask<ReceiverState>({});
  const sides = {} as Record<Way, { service: Service; hooks: Hook[] }>;
  for (const way of ways) {
    const service = stack.use(await startService({ show }));
    const target = `http://127.0.0.1:${port}/hook`;
    const hooks = await service.createWebhooks(Array.from({ length: plan.webhooks }, () => target));
    sides[way] = { service, hooks };
  }
  const { service, hooks } = sides['with a backlog'];
  await addBacklog(service, hooks, plan, show);

  return await takeTurns(ways, { ...plan, seconds: 0 }, async (way) => {
    const { service, hooks } = sides[way];
    await holdBack(service, hooks, deliveries);
    await tidy(service.adminUrl, hotTables);
    const start = (): Promise<void> => letGo(service, hooks);
    const cost = await costOf(service, { receiver, deliveries, start });
    await holdUntilQuiet(service, hooks, ended);
    const { workerUs, storeUs, perSecond } = cost;
    show(`${way}: ${perSecond.toFixed(0)}/s, ${workerUs.toFixed(0)} + ${storeUs.toFixed(0)} us`);
    return cost;
  });
}

/** As lines for people. */
export function backlogReport(costs: Record<Way, Cost[]>): string {
  const large = costs['with a backlog'];
  const small = costs['nothing else'];
  const ratios = large.map((cost, round) => totalOf(cost) / totalOf(small[round] ?? cost));
  const isMet = spreadOf(ratios).median <= ratioMax;
  return [
    ...costLines(new Map(Object.entries(costs))),
    '',
    `processor time with a backlog / with nothing else: ${costRatioText(totalOf, large, small)}  target at most ${ratioMax}: ${isMet ? 'met' : 'NOT MET'}`,
    `deliveries a second: ${costRatioText(({ perSecond }) => perSecond, large, small)}`,
    '',
  ].join('\n');
}
