import { Logger, makeWorkerUtils, run, type Runner } from 'graphile-worker';
import pg from 'pg';
import type { Completion } from '../contents.ts';
import { atOnce } from '../send.ts';
import type { OpenPeer } from './peer.ts';

/**
 * graphile-worker with both of its batches: a local queue that fetches 500 jobs at a time, and completions of 5 ms in
 * one statement. It deletes completed jobs.
 */
export const openGraphileWorker: OpenPeer = async (storeUrl, send) => {
  const pgPool = new pg.Pool({ connectionString: storeUrl, max: 10 });
  // The library requires these handlers. Errors of our calls reject.
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
