import { setTimeout } from 'node:timers/promises';
import { inTime } from '@parley/runtime/scheduling/in-time';
import { type Kysely, sql } from 'kysely';
import { isDiskFull, lastDiskFullAtMs } from '../connecting/errors.ts';
import { diskFull } from '../metrics.ts';
import { acrossWorkspaces } from '../sql/across-workspaces.ts';

const ofNobody = acrossWorkspaces('it uses temporary space, and reads no row');

/** How often the server is asked to use some space. */
const checkMs = 10_000;
/** How long a refused write counts, while the check succeeds: some blocks may be free, but not enough. */
const refusedMs = 60_000;

/** Reports whether the server has no space for new data: it serves reads, and refuses writes. */
export function watchSpace<Tables>(db: Kysely<Tables>): Disposable {
  let last = { isFull: false, atMs: Number.NEGATIVE_INFINITY };
  const check = async (): Promise<boolean> => {
    if (performance.now() - last.atMs > checkMs)
      last = { isFull: await lacksSpace(db), atMs: performance.now() };
    return last.isFull || performance.now() - lastDiskFullAtMs() < refusedMs;
  };
  const isFull = inTime(check, false);
  return diskFull.observe(async (report) => report((await isFull()) ? 1 : 0));
}

/**
 * Lets the server write some 200 KiB to a temporary file: this needs no right, changes no table and leaves nothing.
 * False if it does not answer.
 */
async function lacksSpace<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const using = db.transaction().execute(async (transaction) => {
    await sql`${ofNobody} set local work_mem = '64kB'`.execute(transaction);
    await sql`${ofNobody} select count(*) from generate_series(1, 8000)`.execute(transaction);
    return false;
  });
  return Promise.race([using.catch(isDiskFull), setTimeout(2_000, false, { ref: false })]);
}
