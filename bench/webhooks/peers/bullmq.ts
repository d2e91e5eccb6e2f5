import { Queue, Worker } from 'bullmq';
import type { Completion } from '../contents.ts';
import { atOnce } from '../send.ts';
import type { OpenPeer } from './peer.ts';

const name = 'deliveries';

/**
 * BullMQ over ioredis, with the concurrency of the others. It has no batches: every job runs its own scripts in Redis.
 * Completed jobs stay until the end of the turn. Their removal is not measured.
 */
export const openBullmq: OpenPeer = async (storeUrl, send) => {
  const { hostname: host, port } = new URL(storeUrl);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue<Completion>(name, { connection });
  await queue.waitUntilReady();
  let worker: Worker<Completion> | undefined;
  return {
    enqueue: async (completions) => {
      await queue.addBulk(completions.map((data) => ({ name: 'deliver', data, opts: { attempts: 10 } })));
    },
    start: async () => {
      worker = new Worker<Completion>(name, ({ data }) => send(data), { connection, concurrency: atOnce });
      await worker.waitUntilReady();
    },
    stop: async () => {
      await worker?.close();
      const { waiting = 0, active = 0, failed = 0 } = await queue.getJobCounts('waiting', 'active', 'failed');
      const open = waiting + active + failed;
      if (open > 0) throw new Error(`${open} jobs of BullMQ are not completed`);
      await queue.clean(0, 0, 'completed');
    },
  };
};
