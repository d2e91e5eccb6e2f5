import { spreadOf } from '../measure/statistics.ts';
import { costRatioText, takeTurns } from '../measure/turns.ts';
import { startWorker } from '../setup/worker.ts';
import { addBacklog, addIdleWebhooks, type BacklogSize } from './backlog-rows.ts';
import { type Cost, costLines, costOf, totalOf } from './cost.ts';
import { enqueuePaused, pauseUntilIdle, resumeLanes } from './paused-lanes.ts';
import type { ReceiverState } from './receiver.ts';
import { type Hook, type Service, startService } from './service.ts';
import { tidy } from './tidy.ts';

/** The difference of the second service from the first. */
export const variants = {
  backlog: { ways: ['nothing else', 'with a backlog'], ratioMax: 1.1 },
  lanes: { ways: ['few webhooks', 'many webhooks'], ratioMax: 1.15 },
  replicas: { ways: ['one replica', 'two replicas'], ratioMax: 1.15 },
} as const;
export type Variant = keyof typeof variants;

export interface VariantPlan extends BacklogSize {
  variant: Variant;
  rounds: number;
  deliveries: number;
  webhooks: number;
  /** `lanes`: the number of webhooks in all, in 1,000 workspaces, and of webhooks with due deliveries. */
  allWebhooks: number;
  dueWebhooks: number;
  show: (line: string) => void;
  ended: AbortSignal;
}

/** The costs of each way in the order of the rounds, and the largest memory of a worker in bytes. */
export type Sides = Record<string, { costs: Cost[]; rssMax: number }>;

/** The tables that a turn changes most. */
const hotTables = 'webhook.open_delivery, webhook.lane';

/**
 * Measures the cost of a delivery in two services side by side, which differ in one thing. With a backlog, due
 * deliveries compete: a turn delivers any due ones, spread over as many webhooks on both sides.
 */
export async function measureVariant(plan: VariantPlan): Promise<Sides> {
  const { variant, deliveries, show, ended } = plan;
  const { ways } = variants[variant];
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(startWorker(new URL('./receiver.ts', import.meta.url)));
  const { port } = await receiver.ask<ReceiverState>({});
  const target = `http://127.0.0.1:${port}/hook`;
  const sides = new Map<string, { service: Service; hooks: Hook[] }>();
  for (const way of ways) {
    const service = stack.use(await startService({ show, replicas: way === 'two replicas' ? 2 : 1 }));
    const number = way === 'many webhooks' ? plan.dueWebhooks : plan.webhooks;
    const hooks = await service.createWebhooks(Array.from({ length: number }, () => target));
    if (way === 'many webhooks') await addIdleWebhooks(service, plan.allWebhooks - number, show);
    if (way === 'with a backlog') await addBacklog(service, hooks, plan, show);
    sides.set(way, { service, hooks });
  }
  const sideOf = (way: string) => {
    const side = sides.get(way);
    if (!side) throw new Error(`there is no side ${way}`);
    return side;
  };
  const costs = await takeTurns(ways, plan, async (way) => {
    const { service, hooks } = sideOf(way);
    await enqueuePaused(service, hooks, deliveries);
    await tidy(service.adminUrl, hotTables);
    const start = (): Promise<void> => resumeLanes(service, hooks);
    const cost = await costOf(service, { receiver, deliveries, start });
    await pauseUntilIdle(service, hooks, ended);
    const { workerUs, storeUs, perSecond } = cost;
    show(`${way}: ${perSecond.toFixed(0)}/s, ${workerUs.toFixed(0)} + ${storeUs.toFixed(0)} us`);
    return cost;
  });
  return Object.fromEntries(
    ways.map((way) => [way, { costs: costs[way] ?? [], rssMax: sideOf(way).service.rssMax() }]),
  );
}

export function variantReport(variant: Variant, sides: Sides): string {
  const { ways, ratioMax } = variants[variant];
  const [first, second] = ways;
  const [small, large] = [sides[first]?.costs ?? [], sides[second]?.costs ?? []];
  const ratios = large.map((cost, round) => totalOf(cost) / totalOf(small[round] ?? cost));
  const isMet = spreadOf(ratios).median <= ratioMax;
  return [
    ...costLines(new Map(ways.map((way) => [way, sides[way]?.costs ?? []]))),
    '',
    `processor time, ${second} / ${first}: ${costRatioText(totalOf, large, small)}  target at most ${ratioMax}: ${isMet ? 'met' : 'NOT MET'}`,
    `deliveries a second: ${costRatioText(({ perSecond }) => perSecond, large, small)}`,
    ...ways.map(
      (way) => `largest memory of a replica, ${way}: ${Math.round((sides[way]?.rssMax ?? 0) / 2 ** 20)} MB`,
    ),
    '',
  ].join('\n');
}
