import { setTimeout } from 'node:timers/promises';
import { clockAhead } from '@parley/runtime/metrics/process-metrics';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { type Kysely, sql } from 'kysely';
import { clientConfig, type DatabaseClientConfig } from './client.ts';
import { statementMsMax } from './connection.ts';
import { Connections } from './connections.ts';
import { kyselyOver, reads } from '../sql/dialect.ts';
import { observePool } from '../metrics.ts';
import { watchSpace } from '../schema/space.ts';

interface DatabaseOptions {
  /** A function is called for each new connection: the password may change. */
  url: string | (() => string);
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
  /** Returns whether the database answers within two seconds and accepts writes. */
  isReady(): Promise<boolean>;
}

/**
 * Opens a database; connections are opened on demand. Columns are snake_case in SQL and camelCase in code; keys inside
 * JSON are unchanged. A statement that takes longer than five seconds fails with `deadline_exceeded`. Statements on a
 * lost connection fail with `unavailable`, and the next statement reconnects. Disposing waits for statements in flight.
 * Throws `ConfigError` for a URL with unsupported parameters of TLS. See README.md.
 */
export function openDatabase<Tables>(options: DatabaseOptions): Database<Tables> {
  const { connectionsMax = 10, logger, plansOnce = false } = options;
  const settings = {
    ...(plansOnce && plannedOnce),
    statement_timeout: `${statementMsMax}`,
    // A frozen process holds the locks of its transaction no longer than a statement could.
    idle_in_transaction_session_timeout: `${statementMsMax}`,
  };
  const client = followUrl(options.url, logger);
  const connections = new Connections(() => ({ client: client(), settings }), { connectionsMax, logger });
  const observing = observePool(() => connections.usage());
  const db = kyselyOver<Tables>(connections);
  const comparing = clockAhead.observe(async (report) => report((await aheadMs(db)) / 1_000));
  const watching = watchSpace(db);
  return {
    db,
    isReady: async () => {
      try {
        // A standby, or a server that its operator has set to read-only, such as for a full disk.
        const answered = sql<{ isWritable: boolean }>`
          select current_setting('transaction_read_only') = 'off' as is_writable`
          .execute(reads(db))
          .then(({ rows }) => rows[0]?.isWritable === true);
        return await Promise.race([answered, setTimeout(2_000, false, { ref: false })]);
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => {
      observing[Symbol.dispose]();
      comparing[Symbol.dispose]();
      watching[Symbol.dispose]();
      return db.destroy();
    },
  };
}

/** Returns the client's configuration by the newest URL that has no unsupported parameters. */
function followUrl(url: string | (() => string), logger: Logger): () => DatabaseClientConfig {
  const newest = typeof url === 'string' ? () => url : url;
  let read = newest();
  let config = clientConfig(read);
  return () => {
    const changed = newest();
    if (changed === read) return config;
    read = changed;
    try {
      config = clientConfig(changed);
    } catch (error) {
      logger.error({ err: error }, 'the changed URL of the database is unusable: the last one stays in use');
    }
    return config;
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
const plannedOnce = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
};
