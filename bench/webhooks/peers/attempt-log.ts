import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Send } from '../send.ts';
import type { OpenPeer } from './peer.ts';

/** As long as graphile-worker batches its completions. */
const gatheringMs = 5;
const webhookIds = Array.from({ length: 50 }, () => randomUUID());

interface AttemptLog {
  /** Resolves once the attempt is stored. One statement stores all that end within 5 milliseconds. */
  send: Send;
  count(): Promise<number>;
}

interface Attempt {
  jobId: string;
  startedAt: Date;
  durationMs: number;
  status: number;
  stored: PromiseWithResolvers<number>;
}

/** Creates the table in the queue's database, with indexes by job and by webhook. */
async function openAttemptLog(pool: pg.Pool, send: Send): Promise<AttemptLog> {
  await pool.query(`
    create table attempt (
      job_id uuid not null, number int not null, webhook_id uuid not null, started_at timestamptz not null,
      duration_ms int not null, status int, error text, response_excerpt bytea, primary key (job_id, number))`);
  await pool.query('create index on attempt (webhook_id, job_id)');
  let ended: Attempt[] = [];

  const store = async (): Promise<void> => {
    const batch = ended;
    ended = [];
    try {
      await pool.query({
        name: 'log',
        text: `
          insert into attempt (job_id, number, webhook_id, started_at, duration_ms, status)
          select id, 1, webhook_id, started_at, duration_ms, status
          from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::int[])
            as ended (id, webhook_id, started_at, duration_ms, status)`,
        values: [
          batch.map(({ jobId }) => jobId),
          batch.map((_, index) => webhookIds[index % webhookIds.length]),
          batch.map(({ startedAt }) => startedAt),
          batch.map(({ durationMs }) => durationMs),
          batch.map(({ status }) => status),
        ],
      });
      for (const { stored, status } of batch) stored.resolve(status);
    } catch (error) {
      for (const { stored } of batch) stored.reject(error);
    }
  };

  return {
    send: async (completion) => {
      const startedAt = new Date();
      const start = performance.now();
      const status = await send(completion);
      const stored = Promise.withResolvers<number>();
      const durationMs = Math.round(performance.now() - start);
      ended.push({ jobId: completion.id, startedAt, durationMs, status, stored });
      if (ended.length === 1) setTimeout(() => void store(), gatheringMs);
      return stored.promise;
    },
    count: async () => {
      const { rows } = await pool.query<{ attempts: number }>(
        'select count(*)::int as attempts from attempt',
      );
      return rows[0]?.attempts ?? 0;
    },
  };
}

/** Adds a log of attempts to a queue. Senders of webhooks need one for their tenants. */
export function withAttemptLog(openPeer: OpenPeer): OpenPeer {
  return async (storeUrl, send) => {
    const log = await openAttemptLog(new pg.Pool({ connectionString: storeUrl, max: 2 }), send);
    const { enqueue, start, stop } = await openPeer(storeUrl, log.send);
    let jobs = 0;
    return {
      enqueue: (completions) => {
        jobs += completions.length;
        return enqueue(completions);
      },
      start,
      stop: async () => {
        await stop();
        const attempts = await log.count();
        if (attempts !== jobs) throw new Error(`${attempts} attempts are logged of ${jobs} jobs`);
      },
    };
  };
}
