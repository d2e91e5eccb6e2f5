import { sql } from 'kysely';
import { quantile, spreadOf } from '../measure/statistics.ts';
import { spreadText } from '../measure/turns.ts';
import { startWorker } from '../setup/worker.ts';
import { latenciesOf, type Tenant } from './isolation.ts';
import type { ReceiverState } from './receiver.ts';
import { openSend } from './send.ts';
import { type Interactions, type Sender, startInteractions, startSender } from './sender.ts';
import { startService } from './service.ts';

export interface LatencyPlan {
  rounds: number;
  seconds: number;
  /** Completions per second, at random moments. */
  perSecond: number;
  show: (line: string) => void;
  ended: AbortSignal;
}

/** `floor`: a commit and a POST by undici, without anything in between. */
const ways = ['Parley', 'floor'] as const;
type Way = (typeof ways)[number];

/** Milliseconds from just before the commit to the header of the request, in rising order, by round. */
export type WayLatencies = Record<Way, Float64Array[]>;

const targetsMs = [
  ['p50', 0.5, 15],
  ['p99', 0.99, 80],
] as const;

/** Measures the time from a completion to the POST of its webhook, in turns with the floor. */
export async function measureLatency(plan: LatencyPlan): Promise<WayLatencies> {
  const { rounds, show, ended } = plan;
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(startWorker(new URL('./receiver.ts', import.meta.url)));
  const { port } = await receiver.ask<ReceiverState>({});
  const target = `http://127.0.0.1:${port}/timed`;
  const interactions = stack.use(await startInteractions());
  const service = stack.use(await startService({ interactions, show }));
  const [hook] = await service.createWebhooks([target]);
  const tenant = { service, receiver, workspaceId: hook?.workspaceId ?? '' };
  const tenants: Record<Way, Tenant> = {
    Parley: { ...tenant, sender: stack.use(await startSender(interactions, service)) },
    floor: { ...tenant, sender: await floorOf(interactions, target) },
  };
  show('warming up');
  for (const way of ways) await latenciesOf(tenants[way], plan);
  const latencies: WayLatencies = { Parley: [], floor: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const way of ways) {
      ended.throwIfAborted();
      const measured = await latenciesOf(tenants[way], plan);
      latencies[way].push(measured);
      const [p50, p99] = targetsMs.map(([, share]) => quantile(measured, share).toFixed(1));
      show(`round ${round} of ${rounds}, ${way}: p50 ${p50} ms, p99 ${p99} ms`);
    }
  }
  return latencies;
}

/** Commits the completion to the same Postgres, and sends it to the same receiver. */
async function floorOf({ db }: Interactions, target: string): Promise<Pick<Sender, 'complete'>> {
  await sql`create table floor (id uuid primary key, body text not null)`.execute(db);
  const send = openSend(target);
  return {
    complete: async (completion) => {
      await sql`insert into floor (id, body) values (${completion.id}, ${completion.body})`.execute(db);
      await send(completion);
    },
  };
}

export function latencyReport(latencies: WayLatencies): string {
  const perRound = (way: Way, share: number): number[] =>
    latencies[way].map((sorted) => quantile(sorted, share));
  const lines = targetsMs.map(([name, share, maxMs]) => {
    const own = perRound('Parley', share);
    const judged = spreadOf(own).median <= maxMs ? 'met' : 'NOT MET';
    const figures = `${spreadText(own, 1).padEnd(24)} floor ${spreadText(perRound('floor', share), 1).padEnd(24)}`;
    return `${name} ${figures} target at most ${maxMs} ms: ${judged}`;
  });
  return [
    `completion to the POST of its webhook, ms, median [min, max] of the rounds; ${latencies.Parley[0]?.length ?? 0} deliveries a turn`,
    ...lines,
    '',
  ].join('\n');
}
