import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { atOnce, type Send } from '../send.ts';
import type { OpenPeer } from './peer.ts';

interface Job {
  id: string;
  body: string;
}

interface Ended {
  id: string;
  startedAt: Date;
  durationMs: number;
  status: number;
}

/** The number of jobs per fetch, and the limit of fetched jobs. */
const fetched = 250;
const heldMax = 500;
const batchMs = 5;
const emptyMs = 20;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * The minimal sender with deliveries as rows of Postgres and a log of attempts. It reads each row once, in the order of
 * their ids and without a lock. One statement deletes the rows of 5 milliseconds and logs their attempts. It has no due
 * times, leases, retries or webhooks.
 */
export const openMinimalSender: OpenPeer = async (storeUrl, send) => {
  const pool = new pg.Pool({
    connectionString: storeUrl,
    max: 3,
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off',
  });
  await pool.query(`
    create table job (id uuid primary key, body text not null);
    create table attempt (
      job_id uuid not null, number int not null, started_at timestamptz not null, duration_ms int not null, status int,
      error text, primary key (job_id, number))`);
  let jobs = 0;
  let isRunning = false;
  let running: Promise<void[]> | undefined;
  return {
    enqueue: async (completions) => {
      jobs += completions.length;
      await pool.query('insert into job select * from unnest($1::uuid[], $2::text[])', [
        completions.map(({ id }) => id),
        completions.map(({ body }) => body),
      ]);
    },
    start: async () => {
      isRunning = true;
      const record = recordIn(pool);
      const next = nextOf(pool, () => isRunning);
      const sendOn = async (): Promise<void> => {
        for (let job = await next(); job; job = await next()) record(await timed(send, job));
      };
      running = Promise.all(Array.from({ length: atOnce }, sendOn));
    },
    stop: async () => {
      isRunning = false;
      await running;
      while ((await countOf(pool, 'job')) > 0) await pause(batchMs);
      const attempts = await countOf(pool, 'attempt');
      if (attempts !== jobs) throw new Error(`${attempts} attempts are logged of ${jobs} jobs`);
    },
  };
};

async function timed(send: Send, job: Job): Promise<Ended> {
  const startedAt = new Date();
  const start = performance.now();
  const status = await send(job);
  return { id: job.id, startedAt, durationMs: Math.round(performance.now() - start), status };
}

/** Returns the next job, or undefined after the stop. Fetches more while some are left. */
function nextOf(pool: pg.Pool, isRunning: () => boolean): () => Promise<Job | undefined> {
  let held: Job[] = [];
  let after = beforeAll;
  let fetching: Promise<void> | undefined;
  const fetchMore = async (): Promise<void> => {
    const { rows } = await pool.query<Job>({
      name: 'fetch',
      text: 'select id, body from job where id > $1 order by id limit $2',
      values: [after, fetched],
    });
    after = rows.at(-1)?.id ?? after;
    held = [...rows.toReversed(), ...held];
    if (rows.length === 0) await pause(emptyMs);
    fetching = undefined;
  };
  return async () => {
    while (isRunning()) {
      if (held.length <= heldMax - fetched) fetching ??= fetchMore();
      const job = held.pop();
      if (job) return job;
      await fetching;
    }
    return undefined;
  };
}

/** Stores results; one statement stores all results of 5 milliseconds. A fault ends the process. */
function recordIn(pool: pg.Pool): (ended: Ended) => void {
  let pending: Ended[] = [];
  const store = async (): Promise<void> => {
    const batch = pending;
    pending = [];
    await pool.query({
      name: 'record',
      text: `
        with ended as (
          select * from unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[]) as ended (id, started_at, duration_ms, status)
        ), done as (delete from job where id = any($1))
        insert into attempt (job_id, number, started_at, duration_ms, status)
        select id, 1, started_at, duration_ms, status from ended`,
      values: [
        batch.map(({ id }) => id),
        batch.map(({ startedAt }) => startedAt),
        batch.map(({ durationMs }) => durationMs),
        batch.map(({ status }) => status),
      ],
    });
  };
  return (ended) => {
    pending.push(ended);
    if (pending.length === 1) setTimeout(() => void store(), batchMs);
  };
}

async function countOf(pool: pg.Pool, table: 'job' | 'attempt'): Promise<number> {
  const { rows } = await pool.query<{ found: number }>(`select count(*)::int as found from ${table}`);
  return rows[0]?.found ?? 0;
}
