import { setTimeout } from 'node:timers/promises';
import { clockAhead } from '@parley/runtime/clock-metrics';
import type { Logger } from '@parley/runtime/logger';
import { type Kysely, sql } from 'kysely';
import { statementMsMax } from './connection.ts';
import { Connections } from './connections.ts';
import { kyselyOver, reads } from './dialect.ts';
import { observePool } from './metrics.ts';

interface DatabaseOptions {
  url: string;
  logger: Logger;
  /** At least three, one for each kind of statement. Default: 10. */
  connectionsMax?: number;
  /**
   * Plans each statement once per connection, for all values, and by indexes even while tables are small, so
   * that its cost does not grow with the tables. Otherwise the server may plan a statement at each execution,
   * which can take as long as running it.
   */
  plansOnce?: boolean;
}

/** Kysely over a pool of connections, with a readiness check. */
export interface Database<Tables> extends AsyncDisposable {
  db: Kysely<Tables>;
  /** Returns whether a statement succeeds within two seconds. */
  isReady(): Promise<boolean>;
}

/**
 * Opens a database; connections are opened on demand. Columns are snake_case in SQL and camelCase in code; keys inside
 * JSON are unchanged. A statement that takes longer than five seconds fails with `deadline_exceeded`. Statements on a
 * lost connection fail with `unavailable`, and the next statement reconnects. Disposing waits for statements in flight.
 * See README.md.
 */
export function openDatabase<Tables>(options: DatabaseOptions): Database<Tables> {
  const { connectionsMax = 10, logger, plansOnce = false } = options;
  const config = {
    ...(plansOnce ? withPlansOnce(options.url) : { connectionString: options.url }),
    connectionTimeoutMillis: 3_000,
    statement_timeout: statementMsMax,
    // A frozen process holds the locks of its transaction no longer than a statement could.
    idle_in_transaction_session_timeout: statementMsMax,
    keepAlive: true,
  };
  const connections = new Connections(config, { connectionsMax, logger });
  const observing = observePool(() => connections.usage());
  const db = kyselyOver<Tables>(connections);
  const comparing = clockAhead.observe(async (report) => report((await aheadMs(db)) / 1_000));
  return {
    db,
    isReady: async () => {
      try {
        const answered = sql`select 1`.execute(reads(db)).then(() => true);
        return await Promise.race([answered, setTimeout(2_000, false, { ref: false })]);
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => {
      observing[Symbol.dispose]();
      comparing[Symbol.dispose]();
      return db.destroy();
    },
  };
}

/** Returns how far the clock of this process is ahead of the database's. */
async function aheadMs<Tables>(db: Kysely<Tables>): Promise<number> {
  const askedAtMs = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(reads(db));
  const meanMs = (askedAtMs + Date.now()) / 2;
  return meanMs - (rows[0]?.now.getTime() ?? meanMs);
}

/** Generic plans by indexes, without just-in-time compilation. */
const plannedOnce =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * Returns the URL with these options of a connection before those that it has. `PGOPTIONS` is ignored then:
 * <https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNECT-OPTIONS>. The rest of the URL is
 * unchanged, because a password may contain a `%`.
 */
function withPlansOnce(url: string): { connectionString: string; options?: string } {
  const inUrl = /[?&]options=/;
  if (inUrl.test(url)) {
    const connectionString = url.replace(inUrl, (start) => `${start}${encodeURIComponent(plannedOnce)}%20`);
    return { connectionString };
  }
  return { connectionString: url, options: plannedOnce };
}
