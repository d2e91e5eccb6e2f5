import { PgBoss } from 'pg-boss';
import type { Completion } from '../contents.ts';
import type { OpenPeer } from './peer.ts';

const queue = 'deliveries';
const batch = 100;
const loops = 3;
const emptyMs = 100;

/**
 * pg-boss fetches and completes in batches, by three loops of `fetch` and `complete`. They are faster than `work` with
 * `burstWhenBatchFull`. Completed jobs stay for days, which is the default.
 */
export const openPgBoss: OpenPeer = async (storeUrl, send) => {
  const boss = new PgBoss({ connectionString: storeUrl, schedule: false });
  // Without a handler, errors of its maintenance end the process. Errors of our calls reject.
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  await boss.createQueue(queue, { retryLimit: 10, retryBackoff: true, expireInSeconds: 60 });

  let isRunning = false;
  let running: Promise<void[]> | undefined;
  const deliverOn = async (): Promise<void> => {
    while (isRunning) {
      const jobs = await boss.fetch<Completion>(queue, { batchSize: batch });
      if (jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, emptyMs));
      await Promise.all(jobs.map(({ data }) => send(data)));
      if (jobs.length > 0)
        await boss.complete(
          queue,
          jobs.map(({ id }) => id),
        );
    }
  };
  return {
    enqueue: async (completions) => {
      await boss.insert(
        queue,
        completions.map((data) => ({ data })),
      );
    },
    start: async () => {
      isRunning = true;
      running = Promise.all(Array.from({ length: loops }, deliverOn));
    },
    stop: async () => {
      isRunning = false;
      await running;
      const [found] = await boss.getQueueStats(queue, { force: true });
      const open = (found?.queuedCount ?? 0) + (found?.activeCount ?? 0) + (found?.failedCount ?? 0);
      if (open > 0) throw new Error(`${open} jobs of pg-boss are not completed`);
    },
  };
};
