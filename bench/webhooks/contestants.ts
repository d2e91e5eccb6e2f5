import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../services/webhook/src/schema.ts';
import { startOwnPostgres } from '@parley/testing/servers/own-postgres';
import { timeOf, timeOfTree } from '../measure/processor-time.ts';
import { startWorker } from '../setup/worker.ts';
import type { Measured } from './cost.ts';
import { enqueuePaused, resumeLanes } from './paused-lanes.ts';
import type { PeerName, PeerOrder, PeerStart } from './peers/worker.ts';
import type { Hook, Service } from './service.ts';
import { tidy } from './tidy.ts';

/** A subject that delivers, in turns. */
export interface Contestant extends Measured {
  /** Stores this many deliveries without starting them. */
  prepare(number: number): Promise<void>;
  start(): Promise<void>;
  /** Called when everything has been received. Returns when all results are stored, and throws if some are not. */
  finish(): Promise<void>;
}

const settledMsMax = 10_000;
const pollMs = 20;

/** The webhook service. Its events are spread over the webhooks. */
export function parley(service: Service, hooks: readonly Hook[]): Contestant {
  const { db, adminUrl, times, ended } = service;
  let expected = 0;
  return {
    prepare: async (number) => {
      await enqueuePaused(service, hooks, number);
      await tidy(adminUrl);
      expected += number;
    },
    start: () => resumeLanes(service, hooks),
    finish: async () => {
      const giveUpAt = Date.now() + settledMsMax;
      while ((await openDeliveries(db)) > 0 && Date.now() < giveUpAt) await pause(pollMs);
      const { rows } = await sql<{ succeeded: number; attempts: number }>`
        select (select count(*)::int from finished_delivery where state = 'succeeded') as succeeded,
          (select count(*)::int from every_attempt where error is null) as attempts`.execute(db);
      const [found] = rows;
      if (found?.succeeded !== expected || found.attempts !== expected)
        throw new Error(`of ${expected} deliveries: ${JSON.stringify(found)}`);
    },
    times,
    ended,
  };
}

async function openDeliveries(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from open_delivery`.execute(db);
  return rows[0]?.open ?? 0;
}

/** A peer with a Postgres of its own. */
export async function startPeer(
  peer: PeerName,
  target: string,
  stack: AsyncDisposableStack,
): Promise<Contestant> {
  const store = stack.use(await startOwnPostgres('bench-webhooks', { durable: true }));
  const worker = stack.use(startWorker(new URL('./peers/worker.ts', import.meta.url)));
  await worker.ask({ peer, target, storeUrl: store.url } satisfies PeerStart);
  const order = (what: PeerOrder): Promise<void> => worker.ask({ order: what });
  return {
    prepare: async (number) => {
      await order({ enqueue: number });
      await tidy(store.url);
    },
    start: () => order('start'),
    finish: () => order('stop'),
    times: () => ({ worker: timeOf(worker.pid), store: timeOfTree(store.pid) }),
    ended: worker.ended,
  };
}
