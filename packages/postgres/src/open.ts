import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@parley/runtime/logger';
import { type Kysely, sql } from 'kysely';
import { openConnections } from './connections.ts';
import { kyselyOver } from './dialect.ts';

interface DatabaseOptions {
  url: string;
  logger: Logger;
  /** At least two: one is for reads. Ten unless said. */
  connectionsMax?: number;
  /**
   * Each connection plans a statement once, for whatever values come, and by indexes, however little is in its tables by then:
   * what it reads must not depend on more. Unless said, the server may plan it each time anew, as it estimates, which takes as
   * long as to run it where it is long and its rows are few.
   */
  plansOnce?: boolean;
}

/** How long one statement may take. */
const statementMsMax = 5_000;

/** Kysely over a few connections, and the question whether the server answers. */
export interface Database<Tables> extends AsyncDisposable {
  db: Kysely<Tables>;
  /** True when a statement can be run within two seconds. */
  isReady(): Promise<boolean>;
}

/**
 * Opens a database. Columns are snake_case in SQL and camelCase here; keys inside JSON are left alone. A statement may
 * take five seconds; then it fails as `deadline_exceeded`. What a connection is lost under fails as `unavailable`; the
 * next statement opens another. Disposing waits for what is under way (docs/decisions/0009-pipelined-statements.md).
 */
export function openDatabase<Tables>(options: DatabaseOptions): Database<Tables> {
  const { connectionsMax = 10, logger, plansOnce = false } = options;
  const config = {
    ...(plansOnce ? withPlansOnce(options.url) : { connectionString: options.url }),
    connectionTimeoutMillis: 3_000,
    statement_timeout: statementMsMax,
    // The server's own time-out comes first, unless the server is frozen.
    query_timeout: statementMsMax + 1_000,
    // A process that is frozen in a transaction holds up others no longer than a statement could.
    idle_in_transaction_session_timeout: statementMsMax,
    keepAlive: true,
  };
  const db = kyselyOver<Tables>(openConnections(config, { connectionsMax, logger }));
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
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** Of what is planned once, nothing is worth compiling. */
const plannedOnce =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/**
 * These options of a connection, before those in its URL (what `PGOPTIONS` says is not asked for then):
 * <https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNECT-OPTIONS>. The URL is left as it is but for them: a password may have a `%`.
 */
function withPlansOnce(url: string): { connectionString: string; options?: string } {
  const inUrl = /[?&]options=/;
  if (inUrl.test(url)) {
    const connectionString = url.replace(inUrl, (start) => `${start}${encodeURIComponent(plannedOnce)}%20`);
    return { connectionString };
  }
  return { connectionString: url, options: plannedOnce };
}
