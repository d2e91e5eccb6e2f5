import { Logger, makeWorkerUtils, run, type Runner } from 'graphile-worker';
import pg from 'pg';
import type { Completion } from '../contents.ts';
import { atOnce } from '../send.ts';
import type { OpenPeer } from './peer.ts';

/**
 * graphile-worker with both of its ways to batch: a local queue that fetches 500 jobs at a time, and completions that are gathered for 5 ms. Without
 * them it is three times slower. A completed job is deleted, and that is its durable result.
 */
export const openGraphileWorker: OpenPeer = async (storeUrl, send) => {
  const pgPool = new pg.Pool({ connectionString: storeUrl, max: 10 });
  // Asked for by the library; what concerns us rejects.
  pgPool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const logger = new Logger(() => () => {});
  const preset = {
    worker: {
      concurrentJobs: atOnce,
      maxPoolSize: 10,
      localQueue: { size: 500 },
      completeJobBatchDelay: 5,
      failJobBatchDelay: 5,
      logger,
    },
  };
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  let runner: Runner | undefined;
  return {
    enqueue: async (completions) => {
      await utils.addJobs(
        completions.map((payload) => ({ identifier: 'deliver', payload, maxAttempts: 10 })),
      );
    },
    start: async () => {
      runner = await run({
        pgPool,
        preset,
        noHandleSignals: true,
        taskList: {
          deliver: async (payload: unknown) => {
            await send(payload as Completion);
          },
        },
      });
    },
    stop: async () => {
      await runner?.stop();
      const { rows } = await pgPool.query<{ open: number }>(
        'select count(*)::int as open from graphile_worker._private_jobs',
      );
      const [found] = rows;
      if (found?.open !== 0) throw new Error(`${found?.open} jobs of graphile-worker are not completed`);
    },
  };
};
