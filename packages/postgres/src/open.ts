import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@parley/runtime/logger';
import { type Kysely, sql } from 'kysely';
import { Connections } from './connections.ts';
import { kyselyOver } from './dialect.ts';
import { observePool } from './metrics.ts';

interface DatabaseOptions {
  url: string;
  logger: Logger;
  /** At least two, one of them for reads. Default: 10. */
  connectionsMax?: number;
  /**
   * Each connection plans a statement once, for whatever values come, and by indexes, however little is in its tables
   * by then:
   * what it reads must not depend on more. Unless said, the server may plan it each time anew, as it estimates, which
   * takes as
   * long as to run it where it is long and its rows are few.
   */
  plansOnce?: boolean;
}

/** How long one statement may take. */
const statementMsMax = 5_000;

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
    // Longer than the server's time-out, for a server that does not respond.
    query_timeout: statementMsMax + 1_000,
    // A frozen process holds the locks of its transaction no longer than a statement could.
    idle_in_transaction_session_timeout: statementMsMax,
    keepAlive: true,
  };
  const connections = new Connections(config, { connectionsMax, logger });
  const observing = observePool(() => connections.usage());
  const db = kyselyOver<Tables>(connections);
  return {
    db,
    isReady: async () => {
      try {
        const answered = sql`select 1`.execute(db).then(() => true);
        return await Promise.race([answered, setTimeout(2_000, false, { ref: false })]);
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => {
      observing[Symbol.dispose]();
      return db.destroy();
    },
  };
}

/** Generic plans by indexes. They are not worth compiling. */
const plannedOnce =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * These options of a connection, before those in its URL (what `PGOPTIONS` says is not asked for then):
 * <https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNECT-OPTIONS>. The URL is left as it is but for them:
 * a password may have a `%`.
 */
function withPlansOnce(url: string): { connectionString: string; options?: string } {
  const inUrl = /[?&]options=/;
  if (inUrl.test(url)) {
    const connectionString = url.replace(inUrl, (start) => `${start}${encodeURIComponent(plannedOnce)}%20`);
    return { connectionString };
  }
  return { connectionString: url, options: plannedOnce };
}
